import { useState } from 'preact/hooks';
import { count, human } from '../core/format.ts';
import { words } from '../words.ts';

interface ChoicesProps {
  readonly label: string;
  readonly name: string;
  readonly choices: readonly string[];
  readonly chosen: readonly string[];
}

/** Lets the user choose several of many words, in groups by their beginnings. */
export function Choices({ label, name, choices, chosen }: ChoicesProps) {
  const [now, setNow] = useState<ReadonlySet<string>>(new Set(chosen));
  const groups = Map.groupBy(choices, (choice) => choice.split('.')[0] ?? '');
  const flip = (choice: string, isOn: boolean) => {
    const next = new Set(now);
    if (isOn) next.add(choice);
    else next.delete(choice);
    setNow(next);
  };
  return (
    <fieldset class="choices">
      <legend class="unseen">{label}</legend>
      {[...groups].map(([group, members]) => {
        const many = members.filter((choice) => now.has(choice)).length;
        return (
          <details key={group} open={many > 0 && chosen.length < 12}>
            <summary>
              {human(group)} <small>{words.chosen(count(many), count(members.length))}</small>
            </summary>
            {members.map((choice) => (
              <label key={choice} class="inline">
                <input
                  type="checkbox"
                  name={name}
                  value={choice}
                  checked={now.has(choice)}
                  onChange={({ currentTarget }) => flip(choice, currentTarget.checked)}
                />
                <code>{choice}</code>
              </label>
            ))}
          </details>
        );
      })}
    </fieldset>
  );
}
