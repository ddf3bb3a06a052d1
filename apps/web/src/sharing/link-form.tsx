import type { ViewerDownload } from '../api/generated/schemas.ts'
import type { PublicLink } from '../api/public-links.ts'
import type { ParameterDefinition } from '../api/references.ts'
import { faultAt } from '../api/request.ts'
import { labelOf } from '../parameters/label-of.ts'
import { Field } from '../ui/field.tsx'
import { FormProblem } from '../ui/form-problem.tsx'
import { Choice, Select, TextArea, TextInput } from '../ui/inputs.tsx'
import { expiryDays, type LinkDraft, requestOf, suggestedValues } from './link-draft.ts'

/** What viewers of a public link may do. */
export function LinkForm(props: {
  id: string
  draft: LinkDraft
  /** The link that is changed; undefined for a new one. */
  link: PublicLink | undefined
  parameters: ParameterDefinition[]
  error: unknown
  onChange(draft: LinkDraft): void
  onSubmit(): void
}) {
  const { draft, link, parameters, error, onChange } = props
  const set = (change: Partial<LinkDraft>) => onChange({ ...draft, ...change })
  const download = (format: ViewerDownload, label: string) => {
    const others = draft.downloads.filter((other) => other !== format)
    return (
      <Choice
        label={label}
        checked={draft.downloads.includes(format)}
        onChange={({ target }) => set({ downloads: target.checked ? [...others, format] : others })}
      />
    )
  }
  const flag = (name: 'allowsRefresh' | 'showsSql', label: string, hint?: string) => (
    <Choice label={label} hint={hint} checked={draft[name]} onChange={({ target }) => set({ [name]: target.checked })} />
  )
  const shared = requestOf(draft, parameters, 0).parameters ?? []
  return (
    <form
      id={props.id}
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        props.onSubmit()
      }}
    >
      <FormProblem error={error} fields={['/password', '/parameters', '/expiresAt']} />
      <fieldset className="grid gap-2">
        <legend className="mb-1 font-medium">Viewers can</legend>
        {download('csv', 'Download results as CSV')}
        {download('xlsx', 'Download results as Excel')}
        {download('png', 'Download charts as PNG')}
        {flag('allowsRefresh', 'Refresh results', 'At most 60 runs an hour, and 10 minutes of run time a day, for all viewers together.')}
        {flag('showsSql', 'See the SQL')}
      </fieldset>
      {parameters.length > 0 && (
        <fieldset className="grid gap-2">
          <legend className="mb-1 font-medium">Viewers can change</legend>
          {parameters.map((parameter) => {
            const { name } = parameter
            const values = draft.values[name]
            const { [name]: _, ...others } = draft.values
            const place = shared.findIndex((each) => each.name === name)
            return (
              <div key={name} className="grid gap-2">
                <Choice
                  label={labelOf(parameter)}
                  checked={values !== undefined}
                  onChange={({ target }) => set({ values: target.checked ? { ...others, [name]: suggestedValues(parameter) } : others })}
                />
                {values !== undefined && (
                  <Field
                    className="ml-6.5"
                    label={`Allowed values of ${labelOf(parameter)}`}
                    hint="One per line. The default is always allowed."
                    fault={faultAt(error, `/parameters/${place}`)}
                  >
                    <TextArea rows={4} value={values} onChange={({ target }) => set({ values: { ...draft.values, [name]: target.value } })} />
                  </Field>
                )}
              </div>
            )
          })}
        </fieldset>
      )}
      <Field label="Expires" fault={faultAt(error, '/expiresAt')}>
        <Select value={draft.expiry} onChange={({ target }) => set({ expiry: target.value })}>
          {link?.expiresAt && <option value="keep">{new Date(link.expiresAt).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}</option>}
          <option value="never">Never</option>
          {expiryDays.map((days) => <option key={days} value={days}>{days === 1 ? 'In 1 day' : `In ${days} days`}</option>)}
        </Select>
      </Field>
      <div className="grid gap-2">
        <Choice label="Require a password" checked={draft.hasPassword} onChange={({ target }) => set({ hasPassword: target.checked, password: '' })} />
        {draft.hasPassword && (
          <Field
            className="ml-6.5"
            label="Password"
            hint={link?.hasPassword ? 'Leave blank to keep the current password.' : 'At least 12 characters. Send it separately from the link.'}
            fault={faultAt(error, '/password')}
          >
            <TextInput value={draft.password} autoComplete="off" required={!link?.hasPassword} onChange={({ target }) => set({ password: target.value })} />
          </Field>
        )}
      </div>
    </form>
  )
}
