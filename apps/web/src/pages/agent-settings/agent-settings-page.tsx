import { listDataConnectors } from '../../api/data-connectors.ts'
import { getModelSettings } from '../../api/model-settings.ts'
import { messageOf } from '../../api/request.ts'
import type { Session } from '../../api/session.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { Hint, Loading, Problem } from '../../ui/notice.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { ConnectorForm } from './connector-form.tsx'
import { ConnectorList } from './connector-list.tsx'
import { ModelForm } from './model-form.tsx'

/** `/settings/agents`: the model that agents ask, and the data connectors that it may use. */
export function AgentSettingsPage({ session }: { session: Session }) {
  useTitle('Agent settings')
  return (
    <>
      <header className="page-head">
        <h1>Agents</h1>
        <p className="soft">Settings of {session.organization.name}</p>
      </header>
      {session.role === 'admin' ? (
        <>
          <ModelSection />
          <ConnectorSection />
        </>
      ) : (
        <Hint>Only admins of {session.organization.name} can see and change these settings. Ask one of them.</Hint>
      )}
    </>
  )
}

function ModelSection() {
  const { loaded, reload } = useLoaded('model settings', getModelSettings)
  return (
    <section aria-label="Model">
      <h2>Model</h2>
      <p className="soft">
        With a model, agents follow your instructions in words, and everybody can go on asking in a chat. Without one the digest
        agent states the figures and what changed.
      </p>
      {loaded.status === 'loading' && <Loading />}
      {loaded.status === 'failed' && <Problem message={messageOf(loaded.error)} onRetry={reload} />}
      {loaded.status === 'ready' && (
        <ModelForm key={loaded.value?.updatedAt ?? 'none'} stored={loaded.value} onChanged={reload} />
      )}
    </section>
  )
}

function ConnectorSection() {
  const { loaded, reload } = useLoaded('data connectors', listDataConnectors)
  return (
    <section aria-label="Data connectors">
      <h2>Data connectors</h2>
      <p className="soft">
        Servers of the Model Context Protocol whose tools the model may use. What they answer is data to it.
      </p>
      {loaded.status === 'loading' && <Loading />}
      {loaded.status === 'failed' && <Problem message={messageOf(loaded.error)} onRetry={reload} />}
      {loaded.status === 'ready' && <ConnectorList connectors={loaded.value} onChanged={reload} />}
      <ConnectorForm onAdded={reload} />
    </section>
  )
}
