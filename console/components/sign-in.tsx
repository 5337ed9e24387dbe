import type { TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { findDemoKey, headersOf, type Session, session } from '../core/session.ts';
import { words } from '../words.ts';
import { Mark } from './shell.tsx';

/** Checks whether the API knows the key. A key without the scope of the call is also known. */
async function isKnown(one: Session): Promise<boolean> {
  const reply = await fetch('/v1/vouchers?limit=1', { headers: headersOf(one) });
  return reply.status !== 401;
}

function sessionOf(entries: FormData): Session {
  const get = (name: string) => String(entries.get(name) ?? '').trim();
  const token = get('token');
  return token ? { kind: 'bearer', token } : { kind: 'app', appId: get('appId'), appToken: get('appToken') };
}

export function SignIn() {
  const [fault, setFault] = useState<string | undefined>();
  const demo = findDemoKey();
  const enter = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const one = sessionOf(new FormData(event.currentTarget));
    try {
      if (await isKnown(one)) session.value = one;
      else setFault(words.signIn.unknown);
    } catch {
      setFault(words.signIn.unreachable);
    }
  };
  return (
    <main class="sign-in">
      <h1>
        <Mark /> {words.product}
      </h1>
      <p>{words.signIn.hint}</p>
      <form class="fields" onSubmit={enter}>
        <label>
          {words.signIn.appId}
          <input name="appId" autocomplete="username" defaultValue={demo?.kind === 'app' ? demo.appId : ''} />
        </label>
        <label>
          {words.signIn.appToken}
          <input
            name="appToken"
            type="password"
            autocomplete="current-password"
            defaultValue={demo?.kind === 'app' ? demo.appToken : ''}
          />
        </label>
        <details>
          <summary>{words.signIn.bearer}</summary>
          <label>
            {words.signIn.token}
            <input name="token" type="password" autocomplete="off" />
          </label>
        </details>
        {fault && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        <button type="submit" class="main">
          {words.signIn.enter}
        </button>
      </form>
    </main>
  );
}
