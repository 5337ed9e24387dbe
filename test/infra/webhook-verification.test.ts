import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signatureHeaders } from '#addons/webhooks/sign.ts';

/** Runs the receivers of docs/webhooks.md#verify on a signed request, and on requests that were changed on the way. */

const root = join(import.meta.dirname, '../..');
const page = await readFile(join(root, 'docs/webhooks.md'), 'utf8');
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const token = Buffer.alloc(32, 9).toString('base64url');
const body = '{"id":"whs_1","type":"customer.created","data":{"name":"Ingrid Sjøberg"},"event":{"id":"ev_1"}}';

function codeOf(language: string): string {
  const [, code = ''] =
    new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page.slice(page.indexOf('id="verify"'))) ?? [];
  return code;
}

function run(program: string, args: readonly string[], sent: object) {
  const env = { PATH: process.env.PATH ?? '', WEBHOOK_SECRET: secret, WEBHOOK_TOKEN: token };
  return spawnSync(program, args, { cwd: root, env, input: JSON.stringify(sent), encoding: 'utf8' });
}

function inNode(sent: object) {
  const lines = codeOf('js').split('\n');
  const isImport = (line: string) => line.startsWith('import ');
  const script = `
    import { text } from 'node:stream/consumers';
    ${lines.filter(isImport).join('\n')}
    const { body: rawBody, headers } = JSON.parse(await text(process.stdin));
    const seen = async () => false;
    const handle = (type, data) => console.log(type, data.name);
    async function receive() {
      ${lines.filter((line) => !isImport(line)).join('\n')}
    }
    await receive();`;
  return run(process.execPath, ['--input-type=module', '--eval', script], sent);
}

function inPython(sent: object) {
  const script = `import json, sys
sent = json.loads(sys.stdin.buffer.read())
raw_body, headers = sent["body"].encode(), sent["headers"]
${codeOf('python')}
event = json.loads(raw_body)
sys.stdout.buffer.write((event["type"] + " " + event["data"]["name"] + "\\n").encode())`;
  return run('python3', ['-c', script], sent);
}

const headers = () => signatureHeaders({ id: 'whs_1', at: new Date(), body }, { secrets: [secret], tokens: [token] });
const changed = () => ({ body: body.replace('Ingrid', 'Eve'), headers: headers() });
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const foreign = { secrets: [other], tokens: [other] };
const signedByOthers = () => ({ body, headers: signatureHeaders({ id: 'whs_1', at: new Date(), body }, foreign) });

test('the five lines of Node.js take a signed event, and refuse changed and foreign ones', () => {
  expect(codeOf('js').trim().split('\n')).toHaveLength(5);
  const { status, stdout, stderr } = inNode({ body, headers: headers() });
  expect([status, stdout, stderr]).toEqual([0, 'customer.created Ingrid Sjøberg\n', '']);
  for (const sent of [changed(), signedByOthers()]) {
    expect(inNode(sent)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('signature') });
  }
});

test('the five lines of Python take a signed event, and refuse changed and foreign ones', () => {
  expect(codeOf('python').trim().split('\n')).toHaveLength(5);
  const taken = inPython({ body, headers: headers() });
  // A machine without Python can still run all tests of the project.
  if (taken.error) {
    expect(taken.error).toMatchObject({ code: 'ENOENT' });
    return;
  }
  expect([taken.status, taken.stdout, taken.stderr]).toEqual([0, 'customer.created Ingrid Sjøberg\n', '']);
  for (const sent of [changed(), signedByOthers()]) {
    expect(inPython(sent)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('wrong signature') });
  }
});
