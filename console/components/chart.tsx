/** Draws figures as SVG. A table beside each picture says the same to those who do not see it. */

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Is drawn on top, in another colour. */
  readonly second?: number;
}

const height = 120;
const width = 640;

interface BarsProps {
  readonly title: string;
  readonly bars: readonly Bar[];
  readonly write: (value: number) => string;
  readonly names: readonly [string, string?];
}

export function Bars({ title, bars, write, names: [first, second] }: BarsProps) {
  const most = Math.max(1, ...bars.map(({ value, second = 0 }) => value + second));
  const least = Math.min(0, ...bars.map(({ value }) => value));
  const step = width / Math.max(bars.length, 1);
  const scaled = (value: number) => (Math.abs(value) / (most - least)) * height;
  const zero = scaled(most);
  const every = Math.ceil(bars.length / 8);
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${width} ${height + 22}`} role="img" aria-label={title} preserveAspectRatio="none">
        <line class="grid" x1="0" x2={width} y1="0.5" y2="0.5" />
        <line class="grid" x1="0" x2={width} y1={height / 2} y2={height / 2} />
        {bars.map(({ label, value, second: more = 0 }, index) => (
          <g key={label}>
            <title>{`${label}: ${write(value)}${second ? `, ${write(more)} ${second}` : ''}`}</title>
            <rect class="hit" x={index * step} y="0" width={step} height={height} />
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
              y={zero - scaled(value + more)}
              width={step * 0.72}
              height={scaled(more)}
            />
          </g>
        ))}
        <line class="axis" x1="0" x2={width} y1={zero} y2={zero} />
      </svg>
      <div class="ticks" aria-hidden="true">
        {bars
          .filter((_, index) => index % every === 0)
          .map(({ label }) => (
            <span key={label}>{label}</span>
          ))}
      </div>
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
      {rows.map(({ label, value }) => (
        <li key={label}>
          <span>{label}</span>
          <b>{write(value)}</b>
          <svg viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true">
            <rect class="bar" width={Math.max(0, (100 * value) / most)} height="3" />
          </svg>
        </li>
      ))}
    </ol>
  );
}
