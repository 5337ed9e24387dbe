import { type Sentence, toSentences, writeLogic } from '../core/rules.ts';
import { words } from '../words.ts';

function RuleLine({ subject, operator, wanted, message, inner }: Sentence) {
  return (
    <>
      <span>
        {subject} {operator} <em>{wanted}</em>
        {message && <small> {words.rules.says(message)}</small>}
      </span>
      {inner.length > 0 && (
        <ul>
          {inner.map((one) => (
            <li key={one.subject + one.wanted}>
              <RuleLine {...one} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Shows a validation rule in words. */
export function RuleWords({ rules }: { rules: unknown }) {
  const logic = writeLogic(rules);
  return (
    <div class="rule">
      {toSentences(rules).map((one) => (
        <div key={one.subject + one.wanted}>
          <RuleLine {...one} />
        </div>
      ))}
      {logic && <small>{words.rules.logic(logic)}</small>}
    </div>
  );
}
