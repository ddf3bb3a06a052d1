import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useId, useState } from 'react'
import { apiKeysOptions, changeApiKey, type ListedApiKey } from '../../api/api-keys.ts'
import { faultAt } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { KeyGroups } from './key-groups.tsx'

/** Renames a key, or changes the groups it belongs to. */
export function ApiKeyDialog({ apiKey, onClose }: { apiKey: ListedApiKey; onClose(): void }) {
  const formId = useId()
  const [name, setName] = useState(apiKey.name)
  const [groupIds, setGroupIds] = useState(apiKey.groupIds)
  const queryClient = useQueryClient()
  const saving = useMutation({
    mutationFn: () => changeApiKey({ id: apiKey.id, name, groupIds }),
    onSuccess: async () => {
      onClose()
      await queryClient.invalidateQueries({ queryKey: apiKeysOptions.queryKey })
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="primary" type="submit" form={formId} isBusy={saving.isPending}>Save key</Button>
    </>
  )
  return (
    <Dialog title={`Edit ${apiKey.name}`} isOpen onOpenChange={onClose} footer={footer}>
      <form id={formId} className="grid gap-4" onSubmit={submit}>
        <Field label="Name" fault={faultAt(saving.error, '/name')}>
          <TextInput value={name} onChange={({ target }) => setName(target.value)} autoComplete="off" required maxLength={100} />
        </Field>
        <KeyGroups groupIds={groupIds} onChange={setGroupIds} />
        <FormProblem error={saving.error} fields={['/name']} />
      </form>
    </Dialog>
  )
}
