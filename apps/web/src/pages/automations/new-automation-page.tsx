import { useQuery, useQueryClient } from '@tanstack/react-query'
import { automationsKey, createAutomation } from '../../api/automations.ts'
import { modelSettingsOptions } from '../../api/model-settings.ts'
import { navigate, useLocation } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { LoadProblem } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { AutomationForm } from './automation-form.tsx'
import { contentOf, type Draft, newDraft } from './draft.ts'
import { draftFromWords, readWords } from './in-words.ts'
import { TemplateCards } from './template-cards.tsx'
import { templateOf } from './templates.ts'
import { browserTimeZone, timeZones } from './time-zone.ts'
import { UnderstandingView } from './understanding-view.tsx'
import { useReferences } from './use-references.ts'
import { WordsBox } from './words-box.tsx'

/**
 * `/automations/new`: how to begin, in words or from a template; then the form, filled with that. The beginning is in the
 * address, so that going back leads to the choice.
 */
export function NewAutomationPage() {
  useTitle('New automation')
  const { search } = useLocation()
  const start = new URLSearchParams(search)
  const [words, template] = [start.get('words'), start.get('template')]
  if (words !== null) return <FromWords key={search} words={words} />
  if (template !== null) return <FromTemplate key={search} id={template} />
  return (
    <>
      <PageHead title="New automation" description="An agent looks at queries, and says what there is to say." />
      <div className="grid max-w-4xl gap-6">
        <WordsBox initial={start.get('draft') ?? ''} />
        <TemplateCards />
      </div>
    </>
  )
}

function FromTemplate({ id }: { id: string }) {
  const template = templateOf(id)
  const model = useQuery(modelSettingsOptions)
  const about = template ? `From the template “${template.name}”. Choose the queries; all of it can be changed.` : undefined
  const options = { timeZone: browserTimeZone, agent: agentWith(model.data) }
  return (
    <>
      <Head description={about} back={paths.newAutomation} backLabel="Begin in another way" />
      {/* Which agent is proposed depends on it. */}
      {model.isPending ? <Skeleton /> : <NewForm initial={template?.draft(options) ?? newDraft(browserTimeZone)} />}
    </>
  )
}

function FromWords({ words }: { words: string }) {
  const model = useQuery(modelSettingsOptions)
  const references = useReferences()
  const understanding =
    references.data && readWords(words, { references: references.data, timeZone: browserTimeZone, timeZones })
  const back = paths.newAutomationFrom({ draft: words })
  return (
    <>
      <Head description={`“${words}”`} back={back} backLabel="Change the words" />
      {references.isError && <LoadProblem error={references.error} onRetry={() => void references.refetch()} />}
      {!references.isError && (!understanding || model.isPending) && <Skeleton />}
      {understanding && !model.isPending && (
        <div className="grid gap-5">
          <div className="max-w-3xl"><UnderstandingView understanding={understanding} /></div>
          <NewForm initial={draftFromWords(understanding, { timeZone: browserTimeZone, agent: agentWith(model.data) })} />
        </div>
      )}
    </>
  )
}

/** A model follows instructions; where there is one, whoever wrote some most likely wants it. */
const agentWith = (model: unknown): Draft['agent'] => (model ? 'model' : 'digest')

function Head(props: { description: string | undefined; back: string; backLabel: string }) {
  return (
    <PageHead
      title="New automation"
      {...(props.description !== undefined && { description: props.description })}
      actions={<TextLink href={props.back}>{props.backLabel}</TextLink>}
    />
  )
}

function NewForm({ initial }: { initial: Draft }) {
  const client = useQueryClient()
  return (
    <AutomationForm
      initial={initial}
      saveLabel="Create automation"
      onSave={async (draft) => {
        const { id } = await createAutomation(contentOf(draft))
        void client.invalidateQueries({ queryKey: automationsKey })
        navigate(paths.automation(id))
      }}
      onCancel={() => navigate(paths.automations)}
    />
  )
}
