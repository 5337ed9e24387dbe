import type { ComponentChildren } from 'preact';
import { Page } from '../components/bits.tsx';
import { Managed } from '../components/managed.tsx';
import { wordOf } from '../core/part.ts';
import { query } from '../core/router.ts';
import { words } from '../words.ts';
import { Bin } from './settings/bin.tsx';
import { Brand } from './settings/brand.tsx';
import { Display } from './settings/display.tsx';
import { Erasure } from './settings/erasure.tsx';
import { Keys } from './settings/keys.tsx';
import { People } from './settings/people.tsx';
import { Pages, Project } from './settings/project.tsx';
import { SchemasTab } from './settings/schemas.tsx';

const w = words.settings;

const tabs = ['display', 'people', 'keys', 'pages', 'project', 'brand', 'schemas', 'bin', 'erasure'] as const;
type Tab = (typeof tabs)[number];

function addressOf(tab: Tab): string {
  const project = query.value.get('project');
  return `?${new URLSearchParams({ tab, ...(project ? { project } : {}) })}`;
}

function Tabs({ now }: { now: Tab }) {
  return (
    <nav class="tabs" aria-label={words.screens.settings}>
      {tabs.map((one) => (
        <a key={one} href={addressOf(one)} aria-current={one === now ? 'true' : undefined}>
          {w.tabs[one]}
        </a>
      ))}
    </nav>
  );
}

type OfProject = (project: { readonly id: string }) => ComponentChildren;

/** Are the tabs that call paths of management. */
const managed: Partial<Readonly<Record<Tab, OfProject>>> = {
  people: ({ id }) => <People projectId={id} />,
  keys: ({ id }) => <Keys projectId={id} />,
  pages: ({ id }) => <Pages projectId={id} />,
  project: ({ id }) => <Project projectId={id} />,
  brand: ({ id }) => <Brand projectId={id} />,
  schemas: ({ id }) => <SchemasTab projectId={id} />,
};

/** Shows the settings of the project and of this browser, in tabs. */
export function Settings() {
  const now = wordOf(tabs, query.value.get('tab')) ?? 'display';
  const title = words.screens.settings;
  const ofProject = managed[now];
  if (ofProject) {
    return (
      <Managed title={title} above={<Tabs now={now} />}>
        {(project) => (
          <Page title={title} sub={project.name}>
            <Tabs now={now} />
            {ofProject(project)}
          </Page>
        )}
      </Managed>
    );
  }
  return (
    <Page title={title}>
      <Tabs now={now} />
      {now === 'bin' && <Bin />}
      {now === 'erasure' && <Erasure />}
      {now === 'display' && <Display />}
    </Page>
  );
}
