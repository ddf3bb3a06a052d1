import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { membersOptions } from '../api/members.ts'
import { messageOf } from '../api/request.ts'
import { useSession } from '../api/session.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { TextArea } from '../ui/inputs.tsx'
import { modKey } from '../ui/mod-key.ts'
import { Problem } from '../ui/notice.tsx'
import { useComments } from './comments-context.ts'
import { completeMention, labelsOf, matchPeople, type Person, toEditable, toStored, typedMention, type TypedMention } from './mention-text.ts'

const none: readonly Person[] = []

/**
 * Writes or edits a comment. After `@` it offers the members of the organization: arrow keys choose one, Enter or Tab inserts the name,
 * Escape closes the list.
 */
export function CommentForm(props: {
  /** Names the form, so that its draft can be found again. */
  draftKey: string
  label: string
  submitLabel: string
  /** The stored text of a comment that is edited, and the people it mentions, some of whom may have left. */
  stored?: { text: string; mentions: readonly Person[] }
  onSubmit(stored: string): Promise<void>
  onCancel(): void
}) {
  const { stored, draftKey } = props
  const { drafts } = useComments()!
  const { user } = useSession()
  const { data: members = none } = useQuery({ ...membersOptions, staleTime: 60_000 })
  const former = (stored?.mentions ?? none).filter(({ id }) => !members.some((member) => member.id === id))
  const labels = labelsOf([...members, ...former.map(({ id, name }) => ({ id, name }))])
  const [text, setText] = useState(() => drafts.get(draftKey))
  // The stored text becomes readable once the members are known.
  const shown = text ?? (stored ? toEditable(stored.text, labels) : '')
  const [typed, setTyped] = useState<TypedMention | null>(null)
  const [chosen, setChosen] = useState(0)
  const [problem, setProblem] = useState<unknown>(null)
  const [isBusy, setIsBusy] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const others = members.filter(({ id }) => id !== user.id)
  const offers = typed ? matchPeople(others, typed.query) : []
  const isOffering = offers.length > 0

  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length)
  }, [])

  // Before anything else can be typed.
  const nextCaret = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (nextCaret.current === null) return
    field.current?.setSelectionRange(nextCaret.current, nextCaret.current)
    nextCaret.current = null
  })

  const change = (changed: string) => {
    setText(changed)
    drafts.set(draftKey, changed)
  }
  const read = () => {
    const { value, selectionStart, selectionEnd } = field.current!
    setTyped(selectionStart === selectionEnd ? typedMention(value, selectionStart) : null)
  }
  const insert = (person: Person) => {
    const next = completeMention(shown, typed!, labels.get(person.id)!)
    change(next.text)
    setTyped(null)
    nextCaret.current = next.caret
  }
  const submit = async () => {
    if (shown.trim() === '' || isBusy) return
    setIsBusy(true)
    setProblem(null)
    try {
      await props.onSubmit(toStored(shown, labels))
      drafts.delete(draftKey)
    } catch (error) {
      setProblem(error)
      setIsBusy(false)
    }
  }
  const cancel = () => {
    drafts.delete(draftKey)
    props.onCancel()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isOffering) {
      if (event.key === 'ArrowDown') setChosen((chosen + 1) % offers.length)
      else if (event.key === 'ArrowUp') setChosen((chosen + offers.length - 1) % offers.length)
      else if ((event.key === 'Enter' && !event.ctrlKey && !event.metaKey) || event.key === 'Tab') insert(offers[chosen] ?? offers[0]!)
      else if (event.key === 'Escape') setTyped(null)
      else return
      event.preventDefault()
      // A dialog around the form stays open.
      event.stopPropagation()
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void submit()
    }
  }

  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <TextArea
        ref={field}
        aria-label={props.label}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        {...(isOffering && { 'aria-controls': listId, 'aria-activedescendant': `${listId}-${chosen}` })}
        rows={3}
        placeholder="Write a comment. @ mentions somebody."
        value={shown}
        onChange={({ target }) => {
          change(target.value)
          setChosen(0)
          read()
        }}
        onSelect={read}
        onBlur={() => setTyped(null)}
        onKeyDownCapture={onKeyDown}
      />
      {isOffering && (
        <ul id={listId} role="listbox" aria-label="People to mention" className="rounded-md border border-line bg-surface p-1 shadow-lg">
          {offers.map((person, at) => (
            <li
              key={person.id}
              id={`${listId}-${at}`}
              role="option"
              aria-selected={at === chosen}
              className={classNames('flex cursor-default items-baseline gap-2 rounded px-2 py-1.5 text-sm', at === chosen && 'bg-raised')}
              // Keeps the focus in the text.
              onMouseDown={(event) => event.preventDefault()}
              onMouseEnter={() => setChosen(at)}
              onClick={() => insert(person)}
            >
              <span className="truncate">{person.name}</span>
              <span className="min-w-0 truncate text-xs text-soft">{person.email}</span>
            </li>
          ))}
        </ul>
      )}
      {problem !== null && <Problem message={messageOf(problem)} />}
      <div className="flex items-center gap-2">
        <Button type="submit" kind="primary" size="small" isBusy={isBusy} disabled={shown.trim() === ''}>{props.submitLabel}</Button>
        <Button size="small" kind="ghost" onClick={cancel}>Cancel</Button>
        <span className="ml-auto hidden text-xs text-soft sm:inline">{modKey} Enter</span>
      </div>
    </form>
  )
}
