import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { automationsKey, createAutomation } from '../../api/automations.ts'
import { createReport } from '../../api/reports.ts'
import { messageOf } from '../../api/request.ts'
import { modelSettingsOptions } from '../../api/model-settings.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { LoadProblem } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { AutomationForm } from './automation-form.tsx'
import { draftFromQuestion, toAutomationContent, type Draft, newDraft } from './draft.ts'
import { draftFromDescription, parseDescription } from './parse-description.ts'
import { TemplateCards } from './template-cards.tsx'
import { templateOf } from './templates.ts'
import { browserTimeZone } from './time-zone.ts'
import { ParsedDescriptionView } from './parsed-description-view.tsx'
import { NewReportsCard } from './reports/new-reports-card.tsx'
import { type ReportDraft, toReport } from './reports/report-draft.ts'
import { useParseContext } from './use-parse-context.ts'
import { DescriptionBox } from './description-box.tsx'
import { useLocation } from '../../use-location.ts'

/**
 * `/automations/new`: describe the automation or choose a template, then edit the filled-in form. The choice is in the URL, so
 * the back button returns to it.
 */
export function NewAutomationPage() {
  useTitle('New automation')
  const { search } = useLocation()
  const start = new URLSearchParams(search)
  const [words, template, question] = [start.get('words'), start.get('template'), start.get('question')]
  if (question !== null) return <FromQuestion key={search} question={question} reference={start.get('reference')} />
  if (words !== null) return <FromDescription key={search} words={words} />
  if (template !== null) return <FromTemplate key={search} id={template} />
  return (
    <>
      <PageHead title="New automation" description="Choose queries and a schedule. We’ll summarize what changed." />
      <div className="grid max-w-4xl gap-6">
        <DescriptionBox initial={start.get('draft') ?? ''} />
        <TemplateCards />
      </div>
    </>
  )
}

function FromTemplate({ id }: { id: string }) {
  const template = templateOf(id)
  const model = useQuery(modelSettingsOptions)
  const about = template ? `From the “${template.name}” template. Choose the queries to check, and change what you like.` : undefined
  const options = { timeZone: browserTimeZone, agent: suggestAgent(model.data) }
  return (
    <>
      <Head description={about} back={paths.newAutomation} backLabel="Back to templates" />
      {/* The suggested agent depends on whether there is a model. */}
      {model.isPending ? <Skeleton /> : <NewForm initial={template?.draft(options) ?? newDraft(browserTimeZone)} />}
    </>
  )
}

function FromDescription({ words }: { words: string }) {
  const model = useQuery(modelSettingsOptions)
  const context = useParseContext(words)
  const parsed = context.data && parseDescription(words, context.data)
  const back = paths.newAutomationFrom({ draft: words })
  return (
    <>
      <Head description={`“${words}”`} back={back} backLabel="Edit description" />
      {context.error && <LoadProblem error={context.error} onRetry={context.retry} />}
      {!context.error && (!parsed || model.isPending) && <Skeleton />}
      {parsed && !model.isPending && (
        <div className="grid gap-5">
          <div className="max-w-3xl"><ParsedDescriptionView parsed={parsed} /></div>
          <NewForm
            initial={draftFromDescription(parsed, { timeZone: browserTimeZone, agent: suggestAgent(model.data) })}
            initialReports={parsed.reports}
          />
        </div>
      )}
    </>
  )
}

/** Schedules a question that a chat has answered. */
function FromQuestion({ question, reference }: { question: string; reference: string | null }) {
  const model = useQuery(modelSettingsOptions)
  const options = { timeZone: browserTimeZone, agent: suggestAgent(model.data) }
  return (
    <>
      <Head description="From a chat. Choose when to ask again." back={paths.newAutomation} backLabel="Start over" />
      {model.isPending ? <Skeleton /> : <NewForm initial={draftFromQuestion({ question, reference }, options)} />}
    </>
  )
}

/** Suggests the model if there is one, because only it follows instructions. */
const suggestAgent = (model: unknown): Draft['agent'] => (model ? 'model' : 'digest')

function Head(props: { description: string | undefined; back: string; backLabel: string }) {
  return (
    <PageHead
      title="New automation"
      {...(props.description !== undefined && { description: props.description })}
      actions={<TextLink href={props.back}>{props.backLabel}</TextLink>}
    />
  )
}

function NewForm({ initial, initialReports = [] }: { initial: Draft; initialReports?: ReportDraft[] }) {
  const client = useQueryClient()
  const toast = useToast()
  const [reports, setReports] = useState(initialReports)
  return (
    <AutomationForm
      initial={initial}
      saveLabel="Create automation"
      onSave={async (draft) => {
        const { id } = await createAutomation(toAutomationContent(draft))
        // The automation exists by now, so its page is where a problem with its recipients can be fixed.
        try {
          for (const report of reports) await createReport(id, toReport(report))
        } catch (error) {
          toast.show({ message: `Couldn’t add all recipients. ${messageOf(error)}`, isProblem: true })
        }
        void client.invalidateQueries({ queryKey: automationsKey })
        navigate(paths.automation(id))
      }}
      onCancel={() => navigate(paths.automations)}
    >
      <NewReportsCard reports={reports} onChange={setReports} />
    </AutomationForm>
  )
}
