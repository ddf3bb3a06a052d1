import { useQuery } from '@tanstack/react-query'
import { dataConnectorsOptions } from '../../api/data-connectors.ts'
import { modelBudgetOptions, modelUsageOptions } from '../../api/model-budget.ts'
import { modelSettingsOptions } from '../../api/model-settings.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Hint } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { AnswerFeedback } from './answer-feedback.tsx'
import { BudgetForm } from './budget-form.tsx'
import { ConnectorForm } from './connector-form.tsx'
import { ConnectorList } from './connector-list.tsx'
import { ConnectorNames, ModelFacts } from './for-members.tsx'
import { ModelForm } from './model-form.tsx'
import { ModelUsage } from './model-usage.tsx'

/** `/settings/agents`: the model that agents use, its budget and use, and its data connectors. Members can view the settings, admins can change them. */
export function AgentSettingsPage() {
  const { organization, role } = useSession()
  useTitle('Agent settings')
  const isAdmin = role === 'admin'
  return (
    <>
      <PageHead
        title="Agents"
        description="The AI model of your organization, its budget and its data connectors"
        actions={<TextLink href={paths.evaluations}>Evaluations</TextLink>}
      />
      <div className="grid max-w-3xl gap-6">
        {!isAdmin && <Hint>Only admins can change these settings. Ask an admin of {organization.name}.</Hint>}
        <ModelSection isAdmin={isAdmin} />
        {isAdmin && <BudgetSection />}
        <UsageSection isAdmin={isAdmin} />
        <ConnectorSection isAdmin={isAdmin} />
        {isAdmin && <AnswerFeedback />}
      </div>
    </>
  )
}

function ModelSection({ isAdmin }: { isAdmin: boolean }) {
  const query = useQuery(modelSettingsOptions)
  return (
    <Card
      title="Model"
      description={
        'With a model, anyone can ask questions in plain words, and agents follow your instructions. ' +
        'Without one, automations report the figures and what changed.'
      }
    >
      <Loaded query={query}>
        {(settings) =>
          isAdmin ? <ModelForm key={settings?.updatedAt ?? 'none'} stored={settings} /> : <ModelFacts settings={settings} />
        }
      </Loaded>
    </Card>
  )
}

function BudgetSection() {
  const budget = useQuery(modelBudgetOptions)
  const settings = useQuery(modelSettingsOptions)
  return (
    <Card
      title="Budget"
      description={
        'Limits what the model may use. At a limit, questions are rejected, and automations with queries report without the model.'
      }
    >
      <Loaded query={budget}>
        {(stored) => (
          <Loaded query={settings}>
            {(model) => <BudgetForm key={model?.model ?? 'none'} stored={stored} model={model?.model} />}
          </Loaded>
        )}
      </Loaded>
    </Card>
  )
}

function UsageSection({ isAdmin }: { isAdmin: boolean }) {
  const budget = useQuery(modelBudgetOptions)
  const usage = useQuery(modelUsageOptions)
  return (
    <Card title="Usage" description="Tokens of the last 30 days (UTC).">
      <Loaded query={budget}>
        {(stored) => (
          <Loaded query={usage}>{(report) => <ModelUsage report={report} budget={stored} isAdmin={isAdmin} />}</Loaded>
        )}
      </Loaded>
    </Card>
  )
}

function ConnectorSection({ isAdmin }: { isAdmin: boolean }) {
  const query = useQuery(dataConnectorsOptions)
  return (
    <Card
      title="Data connectors"
      description="MCP servers whose tools the model can use. It treats their responses as data, not as instructions."
    >
      <Loaded query={query}>
        {(connectors) => (isAdmin ? <ConnectorList connectors={connectors} /> : <ConnectorNames connectors={connectors} />)}
      </Loaded>
      {isAdmin && <ConnectorForm />}
    </Card>
  )
}
