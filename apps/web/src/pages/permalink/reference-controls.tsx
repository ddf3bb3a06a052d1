import { ChevronDown, Play, RefreshCw } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { ParameterDefinition } from '../../api/references.ts'
import { labelOf } from '../../parameters/label-of.ts'
import { ParameterForm } from '../../parameters/parameter-form.tsx'
import { summarizeValue } from '../../parameters/show-value.ts'
import type { Values } from '../../parameters/values.ts'
import { Button } from '../../ui/button.tsx'

interface ControlsProps {
  parameters: ParameterDefinition[]
  values: Values
  faults: Record<string, string>
  /** Whether the shown result has the current values, so that running only refreshes it. */
  isRefresh: boolean
  isBusy: boolean
  onChange(values: Values): void
  onLeaveField(): void
  onRun(): void
  onEditParameter?: ((name: string) => void) | undefined
}

/** The parameters, and the button that runs the query with them. */
export function ReferenceControls(props: ControlsProps) {
  return (
    <ParameterForm {...formProps(props)}>
      <RunButton {...props} type="submit" />
    </ParameterForm>
  )
}

/** On a phone: one row with the run button, a button that unfolds the parameters, and `menu`. */
export function FoldedControls(props: ControlsProps & { menu: ReactNode }) {
  const { parameters, values, faults } = props
  const formId = useId()
  const [isOpened, setIsOpened] = useState(false)
  const isOpen = isOpened || Object.keys(faults).length > 0
  return (
    <section aria-label="Actions" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex items-center gap-2">
        <RunButton {...props} type="button" />
        {parameters.length > 0 && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={formId}
            className="flex h-8.5 min-w-0 flex-1 items-center gap-2 rounded-md border border-line-strong bg-surface px-3 text-left text-sm"
            onClick={() => setIsOpened(!isOpen)}
          >
            <span className="sr-only">Parameters: </span>
            <span className="min-w-0 flex-1 truncate">{summaryOf(parameters, values)}</span>
            <ChevronDown className={`size-4 shrink-0 text-soft ${isOpen ? 'rotate-180' : ''}`} aria-hidden="true" />
          </button>
        )}
        <div className="ml-auto flex shrink-0">{props.menu}</div>
      </div>
      <div id={formId} hidden={!isOpen}>
        <ParameterForm {...formProps(props)}>
          {/* Lets Enter in a field run the query. */}
          <button type="submit" hidden>Run query</button>
        </ParameterForm>
      </div>
    </section>
  )
}

/** The current values on one line: “From: 2025-01-01 · Rows: 50”. */
function summaryOf(parameters: ParameterDefinition[], values: Values): string {
  return parameters.map((parameter) => `${labelOf(parameter)}: ${summarizeValue(parameter, values[parameter.name] ?? '') || '–'}`).join(' · ')
}

const formProps = (props: ControlsProps) => ({
  parameters: props.parameters,
  values: props.values,
  faults: props.faults,
  onChange: props.onChange,
  onLeaveField: props.onLeaveField,
  onSubmit: props.onRun,
  ...(props.onEditParameter && { onEdit: props.onEditParameter }),
})

function RunButton({ isRefresh, isBusy, type, onRun }: ControlsProps & { type: 'submit' | 'button' }) {
  return (
    <Button
      type={type}
      kind="primary"
      icon={isRefresh ? <RefreshCw /> : <Play />}
      disabled={isBusy}
      {...(type === 'button' && { onClick: onRun })}
    >
      {isRefresh ? 'Refresh' : 'Run query'}
    </Button>
  )
}
