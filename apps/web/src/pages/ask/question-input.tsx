import { ArrowUp } from 'lucide-react'
import { type KeyboardEvent, type SubmitEvent, useEffect, useRef } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'

const maxLength = 20_000

interface QuestionInputProps {
  label: string
  sendLabel: string
  placeholder: string
  value: string
  isSending?: boolean
  isDisabled?: boolean
  isFocused?: boolean
  onChange(value: string): void
  /** Called with the trimmed text, which is never empty. */
  onSend(text: string): void
}

/** A text box that grows with its text. Enter sends, Shift+Enter starts a new line. */
export function QuestionInput(props: QuestionInputProps) {
  const { value, isSending = false, isDisabled = false, isFocused = false } = props
  const box = useRef<HTMLTextAreaElement>(null)
  const canSend = !isDisabled && !isSending && value.trim() !== ''
  useEffect(() => {
    const { current } = box
    if (!isFocused || !current) return
    current.focus()
    current.setSelectionRange(current.value.length, current.value.length)
  }, [isFocused])
  const send = () => {
    if (canSend) props.onSend(value.trim())
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    send()
  }
  const sendOnEnter = (event: KeyboardEvent) => {
    // During IME composition, Enter confirms the word.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form
      onSubmit={submit}
      className="flex items-end gap-2 rounded-xl border border-line-strong bg-surface p-1.5 has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:outline-focus"
    >
      <textarea
        ref={box}
        aria-label={props.label}
        aria-description="Enter to send, Shift+Enter for a new line"
        rows={Math.min(8, value.split('\n').length)}
        className="field-sizing-content max-h-48 min-w-0 grow resize-none bg-transparent px-2 py-1.5 outline-none placeholder:text-soft disabled:opacity-60"
        placeholder={props.placeholder}
        value={value}
        maxLength={maxLength}
        disabled={isDisabled}
        onChange={(event) => props.onChange(event.target.value)}
        onKeyDown={sendOnEnter}
      />
      <IconButton
        type="submit"
        label={props.sendLabel}
        icon={<ArrowUp />}
        className="size-8 bg-accent text-on-accent enabled:hover:bg-accent-strong enabled:hover:text-on-accent"
        disabled={!canSend}
        aria-busy={isSending || undefined}
      />
    </form>
  )
}
