import { useQuery } from '@tanstack/react-query'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { findBestReferences } from '../api/references.ts'
import { useSession } from '../api/session.ts'
import { navigate } from '../location.tsx'
import { paths } from '../paths.ts'
import { useHotkey } from '../ui/use-hotkey.ts'
import { isVerified } from '../ui/verified-badge.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import { type Destination, hasWords, matching } from './destinations.ts'
import { KeyboardHelp, openKeyboardHelp } from './keyboard-help.tsx'

const openEvents = new EventTarget()

export const openCommandMenu = () => openEvents.dispatchEvent(new Event('open'))

/** The command menu, opened with Ctrl+K or Command+K: finds pages and queries by name, and asks questions. */
export function CommandMenu() {
  const [isOpen, setIsOpen] = useState(false)
  useHotkey('mod+k', () => setIsOpen((before) => !before))
  useEffect(() => {
    const open = () => setIsOpen(true)
    openEvents.addEventListener('open', open)
    return () => openEvents.removeEventListener('open', open)
  }, [])
  return (
    <>
      <KeyboardHelp />
      <Dialog.Root open={isOpen} onOpenChange={setIsOpen}>
        <Dialog.Portal>
          <Dialog.Overlay className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.4)]" />
          <Dialog.Content
            aria-describedby={undefined}
            className="fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-lg border border-line bg-surface shadow-xl outline-none"
          >
            <Dialog.Title className="sr-only">Go to</Dialog.Title>
            <Choices onChosen={() => setIsOpen(false)} />
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
    </>
  )
}

const settleMs = 120

function Choices({ onChosen }: { onChosen(): void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const listId = useId()
  const choices = useChoices(text)
  const current = Math.min(at, choices.length - 1)
  const go = (choice: Destination | undefined) => {
    if (!choice) return
    onChosen()
    if (choice.act) choice.act()
    else navigate(choice.href)
  }
  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && choices.length > 0) {
      event.preventDefault()
      setAt((current + step + choices.length) % choices.length)
    }
    if (event.key === 'Enter') go(choices[current])
  }
  return (
    <>
      <input
        role="combobox"
        aria-label="Search pages and queries, or ask"
        aria-expanded={choices.length > 0}
        aria-controls={listId}
        aria-activedescendant={choices.length > 0 ? `${listId}-${current}` : undefined}
        placeholder="Search pages and queries, or ask…"
        className="h-11 w-full border-b border-line bg-transparent px-4 outline-none placeholder:text-soft"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
        }}
        onKeyDown={handleKey}
      />
      <ul id={listId} role="listbox" aria-label="Results" className="max-h-80 overflow-y-auto p-1">
        {choices.map((choice, place) => (
          <li
            key={choice.href}
            id={`${listId}-${place}`}
            role="option"
            aria-selected={place === current}
            className="flex cursor-pointer items-baseline gap-3 rounded px-3 py-2 aria-selected:bg-raised"
            onPointerMove={() => setAt(place)}
            onClick={() => go(choice)}
          >
            <span className="truncate">{choice.title}</span>
            <span className="ml-auto shrink-0 text-xs text-soft">{choice.kind}</span>
          </li>
        ))}
      </ul>
      {choices.length === 0 && <p className="px-4 pb-4 text-soft" role="status">No results</p>}
    </>
  )
}

const keyboardHelp: Destination = { title: 'Keyboard shortcuts', kind: 'Help', href: '#keyboard-shortcuts', act: openKeyboardHelp }

/** Last, so that it is what Enter chooses only if nothing else was found. It fills in the box, and the question is sent from there. */
const askAbout = (question: string): Destination => ({ title: `Ask: ${question}`, kind: 'Chat', href: paths.ask({ q: question }) })

function useChoices(text: string): Destination[] {
  const { role } = useSession()
  const search = useDebounced(text.trim(), settleMs)
  const { data } = useQuery({
    queryKey: ['references', 'best', search],
    queryFn: ({ signal }) => findBestReferences({ search, limit: 8, signal }),
    enabled: search !== '',
    placeholderData: (before) => before,
  })
  const found = search === '' ? [] : (data?.items ?? [])
  const actions = [keyboardHelp].filter(({ title }) => hasWords(title, text))
  return [
    ...matching(text, role),
    ...actions,
    ...found.map(({ shortId, title, verification }) => ({
      title,
      kind: isVerified(verification) ? 'Verified query' : 'Query',
      href: paths.permalink(shortId),
    })),
    ...(text.trim() === '' ? [] : [askAbout(text.trim())]),
  ]
}
