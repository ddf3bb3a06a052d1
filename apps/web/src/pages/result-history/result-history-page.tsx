import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../api/request.ts'
import { changeHistorySettings, type HistorySettings, historySettingsOptions, historyUseOptions } from '../../api/result-history.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { fileSize } from '../../ui/file-size.ts'
import { TextInput } from '../../ui/inputs.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Problem } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Pager } from '../../ui/pager.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useTitle } from '../../ui/use-title.ts'

/** `/settings/result-history`: how long results are kept, and what takes space. For admins. */
export function ResultHistoryPage() {
  useTitle('Result history')
  const settings = useQuery(historySettingsOptions)
  const use = useInfiniteQuery(historyUseOptions)
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6 [&>.page-head]:mb-0">
      <PageHead title="Result history" description="The results of saved queries are kept, so that people can see and compare earlier ones." />
      <Card title="How long results are kept" description="Each limit applies. Pinned results never expire. New limits take effect within a day.">
        <Loaded query={settings}>{(value) => <LimitsForm settings={value} />}</Loaded>
      </Card>
      <Card title="What takes space">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          {settings.data && <p>{fileSize(settings.data.storedBytes)} of {fileSize(settings.data.limits.bytes)} used</p>}
          <Loaded query={use}>
            {(items) =>
              items.length === 0 ? (
                <p className="text-soft">No results are kept yet.</p>
              ) : (
                <ul className="divide-y divide-line border-t border-line" aria-label="Queries by space">
                  {items.map(({ referenceShortId, title, resultCount, pinnedCount, storedBytes }) => (
                    <li key={referenceShortId} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-2">
                      <TextLink className="mr-auto min-w-0 [overflow-wrap:anywhere]" href={paths.results(referenceShortId)}>{title}</TextLink>
                      <span className="flex flex-wrap items-baseline gap-x-4">
                        <span className="text-sm text-soft">
                          {resultCount} {resultCount === 1 ? 'result' : 'results'}{pinnedCount > 0 && `, ${pinnedCount} pinned`}
                        </span>
                        <span className="tabular-nums">{fileSize(storedBytes)}</span>
                      </span>
                    </li>
                  ))}
                </ul>
              )
            }
          </Loaded>
          <Pager query={use} />
        </div>
      </Card>
    </div>
  )
}

const megabyte = 1_000_000

function LimitsForm({ settings: { limits } }: { settings: HistorySettings }) {
  const client = useQueryClient()
  const toast = useToast()
  const [days, setDays] = useState(String(limits.days))
  const [count, setCount] = useState(String(limits.count))
  const [size, setSize] = useState(String(Math.round(limits.bytes / megabyte)))
  const saving = useMutation({
    mutationFn: () => changeHistorySettings({ days: Number(days), count: Number(count), bytes: Number(size) * megabyte }),
    onSuccess: (saved) => {
      client.setQueryData(historySettingsOptions.queryKey, saved)
      toast.show({ message: 'Limits saved.' })
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
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label="Days">
          <TextInput type="number" required min={1} max={3650} value={days} onChange={(event) => setDays(event.currentTarget.value)} />
        </Field>
        <Field label="Results per query">
          <TextInput type="number" required min={1} max={10_000} value={count} onChange={(event) => setCount(event.currentTarget.value)} />
        </Field>
        <Field label="Space in MB">
          <TextInput type="number" required min={0} max={1_000_000} value={size} onChange={(event) => setSize(event.currentTarget.value)} />
        </Field>
      </div>
      {saving.isError && <Problem message={messageOf(saving.error)} />}
      <Button type="submit" kind="primary" className="w-fit" isBusy={saving.isPending}>Save limits</Button>
    </form>
  )
}
