import { useQuery } from '@tanstack/react-query'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { type FoundItem, searchEverything } from '../api/items.ts'
import { useSession } from '../api/session.ts'
import { navigate } from '../location.tsx'
import { paths } from '../paths.ts'
import { usePageActions } from '../ui/page-actions.ts'
import { useHotkey } from '../ui/use-hotkey.ts'
import { useDebounced } from '../ui/use-debounced.ts'
import { useToast } from '../ui/toast.tsx'
import { destinationOf, type Destination, hasWords, matching } from './destinations.ts'
import { KeyboardHelp, openKeyboardHelp } from './keyboard-help.tsx'
import { chooseTheme } from './theme.ts'

const openEvents = new EventTarget()

export const openCommandMenu = () => openEvents.dispatchEvent(new Event('open'))

/** The command menu, opened with Ctrl+K or Command+K: acts on the page, finds everything by name, and asks questions. */
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
    if (event.key === 'Enter') {
      // The page that opens may focus a text box, where the key would start a new line.
      event.preventDefault()
      go(choices[current])
    }
  }
  return (
    <>
      <input
        role="combobox"
        aria-label="Search, act or ask"
        aria-expanded={choices.length > 0}
        aria-controls={listId}
        aria-activedescendant={choices.length > 0 ? `${listId}-${current}` : undefined}
        placeholder="Search, act or ask…"
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
            key={`${choice.title} ${choice.href}`}
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
    </>
  )
}

const keyboardHelp: Destination = { title: 'Keyboard shortcuts', kind: 'Help', href: '#keyboard-shortcuts', act: openKeyboardHelp }

/** Last, so that it is what Enter chooses only if nothing else was found. It fills in the box, and the question is sent from there. */
const askAbout = (question: string): Destination => ({ title: `Ask: ${question}`, kind: 'Chat', href: paths.ask({ q: question }) })

/** What can be done here and now. The actions of the page come first. */
function useActions(): Destination[] {
  const toast = useToast()
  const copyLink = () => {
    navigator.clipboard.writeText(window.location.href).then(
      () => toast.show({ message: 'Link copied.' }),
      () => toast.show({ message: 'Couldn’t copy the link. Copy it from the address bar.', isProblem: true }),
    )
  }
  const ofPage = usePageActions().map(({ title, act }) => action(title, act))
  return [
    ...ofPage,
    action('Copy link to this page', copyLink),
    action('Switch to light theme', () => chooseTheme('light')),
    action('Switch to dark theme', () => chooseTheme('dark')),
    action('Switch to system theme', () => chooseTheme('system')),
    keyboardHelp,
  ]
}

const action = (title: string, act: () => void): Destination => ({ title, kind: 'Action', href: `#${title}`, act })

function useChoices(text: string): Destination[] {
  const { role } = useSession()
  const search = useDebounced(text.trim(), settleMs)
  const { data, isPlaceholderData, isPending } = useQuery({
    queryKey: ['search', search],
    queryFn: ({ signal }) => searchEverything(search, signal),
    enabled: search !== '',
    placeholderData: (before) => before,
  })
  const found: FoundItem[] = search === '' ? [] : (data ?? [])
  // Until something is found, Enter would choose the question instead.
  const isSearched = search !== '' && search === text.trim() && !isPending && !isPlaceholderData
  const actions = useActions().filter(({ title }) => hasWords(title, text))
  return [
    ...actions,
    ...matching(text, role),
    ...found.map(destinationOf),
    ...(isSearched ? [askAbout(search)] : []),
  ]
}
