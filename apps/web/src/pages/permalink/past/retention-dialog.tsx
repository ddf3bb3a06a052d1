import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../api/request.ts'
import { changeReferenceHistory, referenceHistoryOptions } from '../../../api/result-history.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { TextInput } from '../../../ui/inputs.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Problem } from '../../../ui/notice.tsx'
import { useToast } from '../../../ui/toast.tsx'

interface Limits {
  days: number | null
  count: number | null
}

/** How long the results of a query are kept: at most as long as the organization keeps them. */
export function RetentionDialog({ shortId, onClose }: { shortId: string; onClose(): void }) {
  const settings = useQuery(referenceHistoryOptions(shortId))
  return (
    <Dialog title="Keep results" description="Leave a field empty to use your organization’s limit. Pinned results never expire." isOpen onOpenChange={onClose}>
      <Loaded query={settings}>{({ own, organization }) => <RetentionForm shortId={shortId} own={own} organization={organization} onClose={onClose} />}</Loaded>
    </Dialog>
  )
}

const limit = (text: string) => (text.trim() === '' ? null : Number(text))

function RetentionForm(props: { shortId: string; own: Limits; organization: { days: number; count: number }; onClose(): void }) {
  const { shortId, own, organization, onClose } = props
  const client = useQueryClient()
  const toast = useToast()
  const [days, setDays] = useState(String(own.days ?? ''))
  const [count, setCount] = useState(String(own.count ?? ''))
  const saving = useMutation({
    mutationFn: () => changeReferenceHistory(shortId, { days: limit(days), count: limit(count) }),
    onSuccess: (saved) => {
      client.setQueryData(referenceHistoryOptions(shortId).queryKey, saved)
      toast.show({ message: 'Limits saved. They take effect within a day.' })
      onClose()
    },
  })
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      <Field label="Days" hint={`Your organization keeps results for ${organization.days} days.`}>
        <TextInput type="number" min={1} max={organization.days} value={days} onChange={(event) => setDays(event.currentTarget.value)} />
      </Field>
      <Field label="Results" hint={`Your organization keeps ${organization.count} results of a query.`}>
        <TextInput type="number" min={1} max={organization.count} value={count} onChange={(event) => setCount(event.currentTarget.value)} />
      </Field>
      {saving.isError && <Problem message={messageOf(saving.error)} />}
      <Button type="submit" kind="primary" className="w-fit" isBusy={saving.isPending}>Save limits</Button>
    </form>
  )
}
