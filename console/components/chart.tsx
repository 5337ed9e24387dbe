/** Draws figures as SVG. A table next to each picture gives the same figures to users of screen readers. */

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Is drawn on top, in another colour. */
  readonly second?: number;
  /** The address of the bar's contents. */
  readonly href?: string | undefined;
  readonly isChosen?: boolean;
}

const height = 120;
const width = 640;

/** Returns a round number, at least the value, that has a round half. */
function roundUp(value: number): number {
  if (value <= 2) return 2;
  const size = 10 ** Math.floor(Math.log10(value));
  const step = [2, 4, 6, 8, 10].find((one) => one * size >= value) ?? 10;
  return step * size;
}

interface BarsProps {
  readonly title: string;
  readonly bars: readonly Bar[];
  readonly write: (value: number) => string;
  readonly names: readonly [string, string?];
}

const mostLabels = 8;

interface SlotProps {
  readonly bar: Bar;
  readonly text: string;
  /** Is the class of the label. A bar without one has no label, so that labels do not touch. */
  readonly tick: string | undefined;
  readonly isLate: boolean;
}

/** Shows what a bar says while the pointer or the focus is on it. */
function Slot({ bar, text, tick, isLate }: SlotProps) {
  const inner = (
    <>
      <span class={isLate ? 'tip late' : 'tip'} aria-hidden="true">
        {text}
      </span>
      {tick && <span class={tick}>{bar.label}</span>}
    </>
  );
  if (!bar.href) return <span class="slot">{inner}</span>;
  return (
    <a class="slot" href={bar.href} aria-label={text} aria-current={bar.isChosen ? 'true' : undefined}>
      {inner}
    </a>
  );
}

export function Bars({ title, bars, write, names: [first, second] }: BarsProps) {
  const most = roundUp(Math.max(...bars.map(({ value, second: more = 0 }) => value + more), 1));
  const lowest = Math.min(0, ...bars.map(({ value }) => value));
  const least = lowest < 0 ? -roundUp(-lowest) : 0;
  const step = width / Math.max(bars.length, 1);
  const scaled = (value: number) => (Math.abs(value) / (most - least)) * height;
  const zero = scaled(most);
  const every = Math.ceil(bars.length / mostLabels);
  // A narrow screen leaves out every second label.
  const tickOf = (index: number) => {
    if (index % every !== 0) return undefined;
    return (index / every) % 2 === 0 ? 'tick' : 'tick further';
  };
  const say = ({ label, value, second: more = 0 }: Bar) =>
    `${label}: ${write(value)} ${first}${second ? `, ${write(more)} ${second}` : ''}`;
  return (
    <figure class="chart">
      <div class="scale" aria-hidden="true">
        {[most, (most + least) / 2, least].map((value) => (
          <span key={value}>{write(value)}</span>
        ))}
      </div>
      <div class="plot">
        <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title} preserveAspectRatio="none">
          <line class="grid" x1="0" x2={width} y1="0.5" y2="0.5" />
          <line class="grid" x1="0" x2={width} y1={height / 2} y2={height / 2} />
          {bars.map(({ label, value, second: more = 0, isChosen }, index) => (
            <g key={label} class={isChosen ? 'chosen' : undefined}>
              <rect
                class="bar"
                x={index * step + step * 0.14}
                y={value < 0 ? zero : zero - scaled(value)}
                width={step * 0.72}
                height={scaled(value)}
                rx="1.5"
              />
              <rect
                class="bar second"
                x={index * step + step * 0.14}
                y={zero - scaled(Math.max(value, 0) + more)}
                width={step * 0.72}
                height={scaled(more)}
              />
            </g>
          ))}
          <line class="axis" x1="0" x2={width} y1={zero} y2={zero} />
        </svg>
        <div class="slots">
          {bars.map((bar, index) => (
            <Slot key={bar.label} bar={bar} text={say(bar)} tick={tickOf(index)} isLate={index >= bars.length / 2} />
          ))}
        </div>
      </div>
      {second && (
        <figcaption class="legend">
          <span class="one">{first}</span>
          <span class="two">{second}</span>
        </figcaption>
      )}
      <table class="unseen">
        <caption>{title}</caption>
        <thead>
          <tr>
            <td />
            <th>{first}</th>
            {second && <th>{second}</th>}
          </tr>
        </thead>
        <tbody>
          {bars.map(({ label, value, second: more = 0 }) => (
            <tr key={label}>
              <th>{label}</th>
              <td>{write(value)}</td>
              {second && <td>{write(more)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

/** Shows how much of a whole is used. */
export function Meter({ value, of, label }: { value: number; of: number; label: string }) {
  const share = of > 0 ? Math.min(1, value / of) : 0;
  return (
    <span class="meter">
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="100" height="6" />
        <rect class="bar" width={100 * share} height="6" />
      </svg>
      <span>{label}</span>
    </span>
  );
}

/** Lists names with their figures, the largest first. */
export function Ranking({ rows, write }: { rows: readonly Bar[]; write: (value: number) => string }) {
  const most = Math.max(1, ...rows.map(({ value }) => value));
  return (
    <ol class="ranking">
      {rows.map(({ label, value, href }) => (
        <li key={label}>
          <span>{href ? <a href={href}>{label}</a> : label}</span>
          <b>{write(value)}</b>
          <svg viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true">
            <rect class="bar" width={Math.max(0, (100 * value) / most)} height="3" />
          </svg>
        </li>
      ))}
    </ol>
  );
}
