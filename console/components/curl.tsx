import { calls, writeCurl } from '../core/api.ts';
import { words } from '../words.ts';
import { DialogButton } from './dialog.tsx';

/** Shows the calls of the screen as lines for a terminal, without the secret. */
export function Curl() {
  return (
    <DialogButton label={words.curl.label} title={words.curl.title}>
      {() => (
        <div class="curl">
          <p>{words.curl.hint}</p>
          {calls.value.map((call) => (
            <details key={`${call.method}${call.url}${call.inMs}`} open={call === calls.value[0]}>
              <summary>
                <b>{call.method}</b> {decodeURIComponent(new URL(call.url).pathname)}
                <small>{words.curl.outcome(call.status, call.inMs)}</small>
              </summary>
              {/* A long line scrolls, so the keyboard must reach it. */}
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
              <pre tabIndex={0}>{writeCurl(call)}</pre>
              <button type="button" onClick={() => navigator.clipboard.writeText(writeCurl(call))}>
                {words.copy}
              </button>
            </details>
          ))}
        </div>
      )}
    </DialogButton>
  );
}
