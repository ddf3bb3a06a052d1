import { definitions } from '@querypost/server/engine-definitions'
import type { Database } from '../../api/databases.ts'
import { classNames } from '../../ui/class-names.ts'
import { engineIcon } from './engine-badge.tsx'

/** Chooses the kind of database to add. */
export function EngineChoice(props: {
  value: Database['engine']
  isDisabled: boolean
  onChange(engine: Database['engine']): void
}) {
  return (
    <fieldset disabled={props.isDisabled}>
      <legend className="mb-1.5 text-xs font-medium">Type</legend>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {definitions.map(({ kind: engine, name, hint }) => {
          const Icon = engineIcon(engine)
          return (
            <label
              key={engine}
              className={classNames(
                'grid cursor-pointer content-start gap-1 rounded-lg border px-3 py-2.5 has-focus-visible:outline-2',
                props.value === engine ? 'border-accent bg-accent-wash' : 'border-line hover:border-line-strong',
              )}
            >
              <input
                type="radio"
                name="engine"
                className="sr-only"
                checked={props.value === engine}
                onChange={() => props.onChange(engine)}
              />
              <Icon className="size-5 stroke-[1.5]" aria-hidden="true" />
              <span className="font-medium">{name}</span>
              <span className="text-xs text-soft">{hint}</span>
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}
