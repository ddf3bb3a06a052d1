import { useMemo } from 'react'
import type { Board } from '../../../api/boards.ts'
import { navigate } from '../../../location.tsx'
import { readValues, searchOf, type Values } from '../../../parameters/values.ts'
import { paths } from '../../../paths.ts'
import { type DisplayOptions, pageSearch, readDisplayOptions, withDisplayOptions } from '../content/display-options.ts'
import { useLocation } from '../../../use-location.ts'

/** What the URL says: the values of the parameters, the tab and the display. A link opens exactly what its sender saw. */
export function useBoardLocation({ shortId, parameters, tabs }: Pick<Board, 'shortId' | 'parameters' | 'tabs'>) {
  const { search } = useLocation()
  const values = useMemo(() => readValues(parameters, search), [parameters, search])
  const wantedTab = new URLSearchParams(search).get('tab')
  const tabId = (tabs.find(({ id }) => id === wantedTab) ?? tabs[0])?.id
  const go = (next: URLSearchParams | string, options: { replace?: boolean } = {}) => {
    const text = String(next).replace(/^\?/, '')
    navigate(paths.board(shortId, text === '' ? '' : `?${text}`), options)
  }
  return {
    values,
    tabId,
    display: useMemo(() => readDisplayOptions(search), [search]),
    setValues(changed: Values): void {
      const own = pageSearch(search)
      for (const [name, value] of new URLSearchParams(searchOf(parameters, changed))) own.append(name, value)
      go(own)
    },
    setTab(tab: string): void {
      const next = new URLSearchParams(search)
      if (tab === tabs[0]?.id) next.delete('tab')
      else next.set('tab', tab)
      go(next, { replace: true })
    },
    setDisplay: (options: DisplayOptions) => go(withDisplayOptions(search, options), { replace: true }),
  }
}
