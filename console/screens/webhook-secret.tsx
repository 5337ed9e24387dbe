import { Code, Facts, Ready } from '../components/bits.tsx';
import { DialogButton } from '../components/dialog.tsx';
import { api, dataOf } from '../core/api.ts';
import { time } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { words } from '../words.ts';

const w = words.webhooks;

function Secret({ projectId }: { projectId: string }) {
  const params = { path: { projectId } };
  const loaded = useLoad(projectId, () =>
    dataOf(api.GET('/management/v1/projects/{projectId}/webhook-secret', { params })),
  );
  return (
    <Ready of={loaded}>
      {({ secret, previous_until: until, token, previous_token_until: tokenUntil }) => (
        <div class="fields">
          <p>{w.secretHint}</p>
          <Facts
            rows={[
              [w.secretName, <Code key="secret">{secret}</Code>],
              [w.previous, time(until)],
              [w.token, <Code key="token">{token}</Code>],
              [w.previousToken, time(tokenUntil)],
            ]}
          />
        </div>
      )}
    </Ready>
  );
}

/** Reads the secret when it is asked for, because the first call makes it. */
export function SecretButton({ projectId }: { projectId: string }) {
  return <DialogButton label={w.secret}>{(_, isOpen) => isOpen && <Secret projectId={projectId} />}</DialogButton>;
}
