import type { ReactNode } from 'react'
import type { BoardTab } from '../../../api/boards.ts'
import { Tabs } from '../../../ui/tabs.tsx'

/** The tabs of a board and the tiles of the current one, or just the tiles if it has no tabs. */
export function BoardTabs(props: { tabs: BoardTab[]; tabId: string | undefined; onChange(tabId: string): void; children: ReactNode }) {
  const { tabs, tabId } = props
  if (tabs.length === 0 || tabId === undefined) return <>{props.children}</>
  return (
    <Tabs
      label="Tabs of the board"
      current={tabId}
      onChange={props.onChange}
      tabs={tabs.map(({ id, title }) => ({ name: id, label: title, content: id === tabId ? props.children : null }))}
    />
  )
}
