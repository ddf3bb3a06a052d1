import { useState } from 'react'
import type { Board } from '../../../api/boards.ts'
import { navigate } from '../../../location.tsx'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/inputs.tsx'
import { readDisplayOptions, withDisplayOptions } from '../content/display-options.ts'
import { useLocation } from '../../../use-location.ts'

const refreshChoices = [
  { seconds: undefined, label: 'Never' },
  { seconds: 60, label: 'Every minute' },
  { seconds: 300, label: 'Every 5 minutes' },
  { seconds: 900, label: 'Every 15 minutes' },
  { seconds: 3600, label: 'Every hour' },
]
const rotateChoices = [
  { seconds: undefined, label: 'Stay on one tab' },
  { seconds: 15, label: 'Every 15 seconds' },
  { seconds: 30, label: 'Every 30 seconds' },
  { seconds: 60, label: 'Every minute' },
]

/** Starts the display for a wall, in full screen where the browser allows it. */
export function DisplayDialog({ board, onClose }: { board: Board; onClose(): void }) {
  const { search } = useLocation()
  const [options, setOptions] = useState(() => ({ ...readDisplayOptions(search), isOn: true }))
  const start = () => {
    // Without full screen, the display still fills the window.
    void document.documentElement.requestFullscreen?.().catch(() => undefined)
    onClose()
    navigate(paths.board(board.shortId, withDisplayOptions(search, options)))
  }
  return (
    <Dialog
      title="Full screen"
      description="Shows only the tiles, for a display on a wall. Press Escape to leave."
      isOpen
      onOpenChange={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" onClick={start}>Start full screen</Button>
        </>
      }
    >
      <div className="grid gap-4">
        <Field label="Refresh results">
          <SecondsSelect choices={refreshChoices} value={options.refreshSeconds} onChange={(refreshSeconds) => setOptions({ ...options, refreshSeconds })} />
        </Field>
        {board.tabs.length > 1 && (
          <Field label="Show the next tab">
            <SecondsSelect choices={rotateChoices} value={options.rotateSeconds} onChange={(rotateSeconds) => setOptions({ ...options, rotateSeconds })} />
          </Field>
        )}
      </div>
    </Dialog>
  )
}

function SecondsSelect(props: {
  choices: { seconds: number | undefined; label: string }[]
  value: number | undefined
  onChange(seconds: number | undefined): void
}) {
  const { choices, value } = props
  return (
    <Select value={value ?? ''} onChange={({ target }) => props.onChange(target.value === '' ? undefined : Number(target.value))}>
      {choices.map(({ seconds, label }) => <option key={label} value={seconds ?? ''}>{label}</option>)}
      {!choices.some(({ seconds }) => seconds === value) && <option value={value}>Every {value} seconds</option>}
    </Select>
  )
}
