import { useState } from 'react'
import { messageOf } from '../../api/request.ts'
import type { ReferenceInFull } from '../../api/references.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/inputs.tsx'
import { Problem } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toast.tsx'
import { freshnessChoices } from './freshness-choices.ts'
import { useEditReference } from './use-edit-reference.ts'

/** How old the result of a query may be when other queries read it. */
export function FreshnessDialog({ reference, onClose }: { reference: ReferenceInFull; onClose(): void }) {
  const edit = useEditReference(reference.shortId)
  const toast = useToast()
  const [value, setValue] = useState(String(reference.freshForSeconds ?? ''))
  const [error, setError] = useState<unknown>()
  const save = async () => {
    try {
      await edit({ freshForSeconds: value === '' ? null : Number(value) })
      toast.show({ message: 'Freshness saved.' })
      onClose()
    } catch (reason) {
      setError(reason)
    }
  }
  return (
    <Dialog
      title="Freshness as a table"
      description="When another query reads this one with ref, and its result is older, it runs again first."
      isOpen
      onOpenChange={onClose}
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Field label="Results are fresh for" hint="A query can ask for another age with max_age.">
          <Select value={value} onChange={(event) => setValue(event.target.value)}>
            {freshnessChoices(reference.freshForSeconds).map(({ seconds, label }) => (
              <option key={label} value={String(seconds ?? '')}>{label}</option>
            ))}
          </Select>
        </Field>
        {error !== undefined && <Problem message={messageOf(error)} />}
        <Button type="submit" kind="primary" className="w-fit">Save freshness</Button>
      </form>
    </Dialog>
  )
}
