import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Save } from 'lucide-react'
import { useState } from 'react'
import { type Database, databasesOptions } from '../../api/databases.ts'
import { queryOptionsOf } from '../../api/queries.ts'
import { editReference, type ReferenceInFull, referenceOptions, runReference } from '../../api/references.ts'
import { messageOf } from '../../api/request.ts'
import { navigate } from '../../location.tsx'
import { readValues, searchOf, valuesToSend } from '../../parameters/values.ts'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useHotkey } from '../../ui/use-hotkey.ts'
import { useTitle } from '../../ui/use-title.ts'
import { DraftedWorkbench } from './drafted-workbench.tsx'
import type { WorkbenchState } from './use-workbench.ts'
import { useLocation } from '../../use-location.ts'

/** `/q/:shortId/edit`: edits the SQL of a reference. Saving moves this reference to the new query; other references are unaffected. */
export function EditReferencePage({ shortId }: { shortId: string }) {
  const reference = useQuery(referenceOptions(shortId))
  const databases = useQuery(databasesOptions())
  return (
    <Loaded query={reference}>
      {(found) => <Loaded query={databases}>{(items) => <EditReference reference={found} databases={items} />}</Loaded>}
    </Loaded>
  )
}

function EditReference({ reference, databases }: { reference: ReferenceInFull; databases: Database[] }) {
  useTitle(`Edit ${reference.title}`)
  const { shortId, currentQuery, isOptimistic } = reference
  const query = useQuery({ ...queryOptionsOf(currentQuery.id), enabled: !isOptimistic })
  const { search } = useLocation()
  const [values] = useState(() => readValues(reference.parameters, search))
  // Keep what the page opened with: refetching the reference must not replace the text while the user edits it.
  const [opened] = useState(reference)
  if (!isOptimistic && query.isPending) return null
  return (
    <DraftedWorkbench
      page={`reference.${shortId}`}
      title={`Edit ${reference.title}`}
      above={<TextLink href={paths.permalink(shortId)}>{reference.title}</TextLink>}
      databases={databases}
      initial={{
        sql: opened.currentQuery.sql,
        databaseId: query.data?.analyticalDatabaseConfigId ?? databases[0]?.id ?? '',
        parameters: opened.parameters,
        values,
        visualization: opened.visualization ?? null,
        queryId: opened.isOptimistic ? null : opened.currentQuery.id,
      }}
      actions={(state, deleteDraft) => <EditActions reference={reference} state={state} onSaved={deleteDraft} />}
    />
  )
}

function EditActions({ reference, state, onSaved }: { reference: ReferenceInFull; state: WorkbenchState; onSaved(): void }) {
  const { shortId } = reference
  const queryClient = useQueryClient()
  const toast = useToast()
  const saving = useAction()
  const save = () =>
    saving.run(async () => {
      const { sql, database, definitions, values, visualization } = state
      try {
        const saved = await editReference(shortId, {
          sql,
          ...(database && { analyticalDatabaseConfigId: database.id }),
          parameters: definitions,
          visualization,
        })
        queryClient.setQueryData(referenceOptions(shortId).queryKey, saved)
        void queryClient.invalidateQueries({ queryKey: ['references'], refetchType: 'none' })
        onSaved()
        // A new query has no result yet. Start a run, so that the permalink page shows it.
        if (saved.currentQuery.id !== reference.currentQuery.id && state.runs.shown) {
          await runReference(shortId, valuesToSend(definitions, values)).catch(() => undefined)
        }
        navigate(paths.permalink(shortId) + searchOf(saved.parameters, values))
      } catch (error) {
        toast.show({ message: messageOf(error), isProblem: true })
        throw error
      }
    })
  useHotkey('mod+s', save)
  return (
    <>
      <Button icon={<Save />} isBusy={saving.isBusy} disabled={state.sql.trim() === ''} onClick={save}>Save query</Button>
      <ButtonLink kind="ghost" href={paths.permalink(shortId)}>Cancel</ButtonLink>
    </>
  )
}
