import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ChangeFeed, changeFeedOptions, editChangeFeed, type FeedProblem } from '../../api/change-feed.ts'
import { messageOf } from '../../api/request.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { Problem } from '../../ui/notice.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { RelativeTime } from '../../ui/time.tsx'

/** Turns the change feed of a reference on or off, and shows its latest changes. */
export function ChangeFeedDialog({ shortId, onClose }: { shortId: string; onClose(): void }) {
  const feed = useQuery(changeFeedOptions(shortId))
  const queryClient = useQueryClient()
  const saving = useMutation({
    mutationFn: (edit: Parameters<typeof editChangeFeed>[1]) => editChangeFeed(shortId, edit),
    onSuccess: (saved) => queryClient.setQueryData(changeFeedOptions(shortId).queryKey, saved),
  })
  return (
    <Dialog
      title="Publish changes"
      description="Number every change of the result, and send it to your apps."
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <div className="grid gap-5">
        {feed.isError && <Problem message={messageOf(feed.error)} />}
        {feed.data && (
          <>
            <Switch
              label="Publish changes"
              hint="Runs with the default parameter values count. Equal results are not changes."
              isOn={feed.data.publishesChanges}
              isDisabled={saving.isPending}
              onChange={(publishesChanges) => saving.mutate({ publishesChanges })}
            />
            {saving.isError && <Problem message={messageOf(saving.error)} />}
            {feed.data.publishesChanges && (
              <>
                <KeyColumns
                  key={`${feed.data.keyColumns?.join(',')} ${feed.data.keyChoice}`}
                  feed={feed.data}
                  isBusy={saving.isPending}
                  onSave={(keyColumns) => saving.mutate({ keyColumns })}
                />
                <LatestChanges feed={feed.data} />
              </>
            )}
          </>
        )}
      </div>
    </Dialog>
  )
}

function KeyColumns({ feed, isBusy, onSave }: { feed: ChangeFeed; isBusy: boolean; onSave(columns: string[] | null): void }) {
  const current = feed.keyColumns?.join(', ') ?? ''
  const [text, setText] = useState(current)
  const columns = text.split(',').map((name) => name.trim()).filter((name) => name !== '')
  const hint =
    feed.keyColumns === null
      ? 'Inferred from the next result.'
      : feed.keyChoice === 'inferred'
        ? 'Inferred from the data. Enter names, separated by commas, to choose others.'
        : 'Chosen. Leave empty to infer them.'
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onSave(columns.length === 0 ? null : columns)
      }}
    >
      <Field label="Key columns" hint={hint}>
        <TextInput value={text} onChange={({ target }) => setText(target.value)} />
      </Field>
      {feed.problem && <Problem message={problems[feed.problem]} />}
      <div>
        <Button type="submit" isBusy={isBusy} disabled={text === current}>Save key</Button>
      </div>
    </form>
  )
}

const problems: Record<FeedProblem, string> = {
  key_not_unique: 'Several rows of the last result have the same key. Choose columns that identify a row.',
  key_column_missing: 'The last result doesn’t have all key columns, so the key was inferred.',
  comparison_failed: 'The last results couldn’t be compared, so all rows count as replaced.',
  result_not_kept: 'A result couldn’t be stored, so it is missing from the feed.',
}

function LatestChanges({ feed }: { feed: ChangeFeed }) {
  return (
    <section className="grid gap-2">
      <h3 className="font-medium">Latest changes</h3>
      {feed.latestChanges.length === 0 ? (
        <p className="text-sm text-soft">No changes yet. The next different result is number 1.</p>
      ) : (
        <ul className="grid gap-1 text-sm">
          {feed.latestChanges.map(({ number, at, added, removed, changed }) => (
            <li key={number} className="flex flex-wrap gap-x-3">
              <span className="tabular-nums">#{number}</span>
              <span>{added} added, {removed} removed, {changed} changed</span>
              <span className="text-soft"><RelativeTime at={at} /></span>
            </li>
          ))}
        </ul>
      )}
      <p className="text-sm text-soft">
        To get each change as a request, <TextLink href={paths.webhooks}>add a webhook</TextLink> for “Query result changed”.
      </p>
    </section>
  )
}
