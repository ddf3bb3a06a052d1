import { type ReactNode, useState } from 'react'
import type { Database } from '../../api/databases.ts'
import type { Draft } from './draft.ts'
import { DraftNotice } from './draft-notice.tsx'
import { useKeptDraft, useStoredDraft } from './use-draft.ts'
import { type Beginning, useWorkbench, type WorkbenchState } from './use-workbench.ts'
import { Workbench } from './workbench.tsx'

interface Page {
  /** Names the page among a person's drafts. */
  page: string
  title: string
  above?: ReactNode
  databases: Database[]
  beginning: Beginning
  /** `dropDraft` is called once what was written is saved. */
  actions(state: WorkbenchState, dropDraft: () => void): ReactNode
}

/** The workbench, with what was written here before and not saved. */
export function DraftedWorkbench(props: Page) {
  const { beginning } = props
  const { key, found, drop } = useStoredDraft(props.page)
  const draft = found && found.draft.sql !== beginning.sql ? found.draft : undefined
  const atFirst = !draft ? 'none' : found?.isOfThisTab ? 'take-up' : 'offer'
  const [choice, setChoice] = useState<'take-up' | 'offer' | 'none'>(atFirst)
  const isKnown = (id: string) => props.databases.some((database) => database.id === id)
  const takenUp = (kept: Draft): Beginning => ({
    ...beginning,
    ...kept,
    databaseId: isKnown(kept.databaseId) ? kept.databaseId : beginning.databaseId,
    isUnsaved: true,
  })
  return (
    <Bench
      // Another beginning is another workbench.
      key={choice === 'take-up' ? 'draft' : 'beginning'}
      {...props}
      draftKey={key}
      beginning={choice === 'take-up' && draft ? takenUp(draft) : beginning}
      notice={
        draft && choice !== 'none' ? (
          <DraftNotice
            draft={draft}
            isTakenUp={choice === 'take-up'}
            onTakeUp={() => setChoice('take-up')}
            onDiscard={() => {
              drop()
              setChoice('none')
            }}
          />
        ) : undefined
      }
    />
  )
}

function Bench(props: Page & { draftKey: string; notice: ReactNode }) {
  const state = useWorkbench(props.beginning, props.databases)
  const dropDraft = useKeptDraft(props.draftKey, state.unsaved)
  return (
    <Workbench
      title={props.title}
      above={props.above}
      notice={props.notice}
      databases={props.databases}
      state={state}
      actions={props.actions(state, dropDraft)}
    />
  )
}
