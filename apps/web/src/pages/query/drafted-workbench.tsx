import { type ReactNode, useState } from 'react'
import type { Database } from '../../api/databases.ts'
import type { Draft } from './draft.ts'
import { DraftNotice } from './draft-notice.tsx'
import { useAutosavedDraft, useStoredDraft } from './use-draft.ts'
import { type InitialQuery, useWorkbench, type WorkbenchState } from './use-workbench.ts'
import { Workbench } from './workbench.tsx'

interface Page {
  /** Identifies the page among a user's drafts. */
  page: string
  title: string
  above?: ReactNode
  databases: Database[]
  initial: InitialQuery
  /** Call `deleteDraft` once the query is saved. */
  actions(state: WorkbenchState, deleteDraft: () => void): ReactNode
}

/** The workbench, with the unsaved draft of this page. */
export function DraftedWorkbench(props: Page) {
  const { initial } = props
  const { key, found, remove } = useStoredDraft(props.page)
  const draft = found && found.draft.sql !== initial.sql ? found.draft : undefined
  const initialChoice = !draft ? 'none' : found?.isFromThisTab ? 'restore' : 'offer'
  const [choice, setChoice] = useState<'restore' | 'offer' | 'none'>(initialChoice)
  const isKnown = (id: string) => props.databases.some((database) => database.id === id)
  const restored = (kept: Draft): InitialQuery => ({
    ...initial,
    ...kept,
    databaseId: isKnown(kept.databaseId) ? kept.databaseId : initial.databaseId,
    isUnsaved: true,
  })
  return (
    <KeepingDraft
      // A different initial query needs a new workbench.
      key={choice === 'restore' ? 'draft' : 'initial'}
      {...props}
      draftKey={key}
      initial={choice === 'restore' && draft ? restored(draft) : initial}
      notice={
        draft && choice !== 'none' ? (
          <DraftNotice
            draft={draft}
            isRestored={choice === 'restore'}
            onRestore={() => setChoice('restore')}
            onDiscard={() => {
              remove()
              setChoice('none')
            }}
          />
        ) : undefined
      }
    />
  )
}

function KeepingDraft(props: Page & { draftKey: string; notice: ReactNode }) {
  const state = useWorkbench(props.initial, props.databases)
  const deleteDraft = useAutosavedDraft(props.draftKey, state.unsaved)
  return (
    <Workbench
      title={props.title}
      above={props.above}
      notice={props.notice}
      databases={props.databases}
      state={state}
      actions={props.actions(state, deleteDraft)}
    />
  )
}
