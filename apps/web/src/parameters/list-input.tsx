import { Check, X } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import type { ParameterDefinition } from '../api/references.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { useFieldAttributes } from '../ui/field.tsx'
import { OptionsNote } from './options-note.tsx'
import { type Option, useOptions } from './use-options.ts'
import type { Values } from './values.ts'

/**
 * The elements of a list as chips, with a text field that searches the options and adds others: a combobox with a list of options.
 * Enter chooses the marked option or adds the text, Backspace in the empty field removes the last chip, Escape closes the list.
 */
export function ListInput(props: {
  definition: ParameterDefinition
  label: string
  values: Values
  value: string[]
  onChange(value: string[]): void
}) {
  const { definition, label, values, value, onChange } = props
  const field = useFieldAttributes()
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const [search, setSearch] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [marked, setMarked] = useState(-1)
  const found = useOptions(definition, values, search)
  const { options, isComplete } = found
  const hasOptions = definition.options !== undefined
  const [labels, setLabels] = useState<Record<string, string>>({})
  const labelFor = (element: string) =>
    labels[element] ?? definition.options?.values?.find((option) => option.value === element)?.label ?? options.find((option) => option.value === element)?.label ?? element

  function toggle({ value: element, label: shown }: Option) {
    // Remembered, because a later search may not find this option.
    setLabels({ ...labels, [element]: shown })
    onChange(value.includes(element) ? value.filter((each) => each !== element) : [...value, element])
  }
  function add(text: string) {
    if (!value.includes(text)) onChange([...value, text])
    setSearch('')
    setMarked(-1)
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const option = isOpen ? options[marked] : undefined
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (!hasOptions) return
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setMarked(isOpen ? Math.max(0, Math.min(options.length - 1, marked + step)) : 0)
      setIsOpen(true)
    } else if (event.key === 'Enter' && (option || search !== '')) {
      // Enter in an empty field runs the query, as in every other field.
      event.preventDefault()
      if (option) toggle(option)
      // Somebody who went to options that are still being loaded wants one of them, not the text.
      else if (!isOpen || marked < 0 || !found.isLoading) add(search)
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation()
      setIsOpen(false)
    } else if (event.key === 'Backspace' && search === '' && value.length > 0) {
      onChange(value.slice(0, -1))
    }
  }
  const isListShown = isOpen && hasOptions
  return (
    <div
      className="relative"
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return
        setIsOpen(false)
        if (search !== '' && !hasOptions) add(search)
      }}
    >
      <div
        className="flex min-h-8.5 w-full flex-wrap items-center gap-1 rounded-md border border-line-strong bg-surface px-1.5 py-1 focus-within:outline-2 focus-within:outline-accent has-aria-invalid:border-danger"
        onClick={() => input.current?.focus()}
      >
        {value.length > 0 && (
          <ul className="contents" aria-label={`${label}: chosen`}>
            {value.map((element) => (
              <li key={element} className="flex max-w-full items-center gap-0.5 rounded bg-raised pl-1.5 text-xs leading-5">
                <span className="min-w-0 truncate">{labelFor(element) || '(empty)'}</span>
                <button
                  type="button"
                  aria-label={`Remove ${labelFor(element) || 'empty text'}`}
                  className="grid size-6 shrink-0 place-items-center rounded text-soft hover:text-ink [&_svg]:size-3"
                  onClick={() => {
                    onChange(value.filter((each) => each !== element))
                    input.current?.focus()
                  }}
                >
                  <X aria-hidden="true" />
                </button>
              </li>
            ))}
          </ul>
        )}
        <input
          {...field}
          ref={input}
          name={definition.name}
          className="min-w-16 flex-1 bg-transparent px-1 text-ink outline-none placeholder:text-soft"
          placeholder={value.length > 0 ? '' : hasOptions ? 'Choose…' : 'Type, then Enter'}
          autoComplete="off"
          value={search}
          onChange={(event) => {
            setSearch(event.target.value)
            setMarked(-1)
            setIsOpen(true)
          }}
          onClick={() => setIsOpen(true)}
          onKeyDown={onKeyDown}
          {...(hasOptions && {
            role: 'combobox',
            'aria-expanded': isListShown,
            'aria-controls': listId,
            'aria-autocomplete': 'list' as const,
            ...(isListShown && marked >= 0 && { 'aria-activedescendant': `${listId}-${marked}` }),
          })}
        />
      </div>
      {isListShown && (
        <div className="absolute z-40 mt-1 grid max-h-72 w-full min-w-56 grid-rows-[auto_minmax(0,1fr)_auto] gap-1 rounded-md border border-line bg-surface p-1 shadow-lg">
          <div className="flex gap-1">
            <Button
              size="small"
              kind="ghost"
              disabled={options.length === 0}
              onClick={() => {
                setLabels({ ...labels, ...Object.fromEntries(options.map((option) => [option.value, option.label])) })
                onChange([...new Set([...value, ...options.map((option) => option.value)])])
              }}
            >
              {search === '' ? 'All' : 'All found'}
            </Button>
            <Button size="small" kind="ghost" disabled={value.length === 0} onClick={() => onChange([])}>None</Button>
          </div>
          <ul id={listId} role="listbox" aria-label={`${label}: options`} aria-multiselectable="true" className="overflow-y-auto">
            {options.map((option, at) => (
              <li
                key={option.value}
                id={`${listId}-${at}`}
                role="option"
                aria-selected={value.includes(option.value)}
                ref={at === marked ? scrollIntoView : undefined}
                className={classNames('flex items-center gap-2 rounded px-2 py-1.5 text-sm select-none hover:bg-raised', at === marked && 'bg-raised')}
                // Keeps the focus in the field.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => toggle(option)}
              >
                <Check aria-hidden="true" className={classNames('size-4 shrink-0', !value.includes(option.value) && 'invisible')} />
                <span className="min-w-0 truncate">{option.label || '(empty)'}</span>
              </li>
            ))}
          </ul>
          <div className="px-2 pb-1">
            {options.length === 0 && !found.isLoading && found.problem === undefined && (
              <p className="text-xs text-soft" role="status">{search === '' ? 'No options.' : 'No options found. Press Enter to add the text.'}</p>
            )}
            {!isComplete && <p className="text-xs text-soft">Not all are shown. Type to search.</p>}
            <OptionsNote found={found} />
          </div>
        </div>
      )}
    </div>
  )
}

const scrollIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })
