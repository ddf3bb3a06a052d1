import { AtSign, UserRound, UsersRound, X } from 'lucide-react'
import { useId, useState } from 'react'
import type { AddressState, ReportRecipient } from '../../../api/reports.ts'
import { Badge } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { TextInput } from '../../../ui/inputs.tsx'
import { pluralize } from '../../webhooks/health-format.ts'
import { groupProblem, nameOf } from './describe-report.ts'
import { addressIn, keyOf, withoutRepeats } from './report-draft.ts'
import { useKnownPeople } from './use-known-people.ts'

const maxShown = 6

/** Chooses members by name or e-mail address, groups, and addresses of other people. */
export function RecipientPicker(props: {
  chosen: ReportRecipient[]
  /** The outside addresses that are known to the report. */
  addresses: { email: string; state: AddressState }[]
  fault: string | undefined
  onChange(chosen: ReportRecipient[]): void
}) {
  const { chosen, addresses, fault } = props
  const id = useId()
  const [search, setSearch] = useState('')
  const people = useKnownPeople()
  const { members = [], groups = [] } = people
  const words = search.trim().toLowerCase()
  const isChosen = (recipient: ReportRecipient) => chosen.some((other) => keyOf(other) === keyOf(recipient))
  const found = [
    ...members.map((member) => ({ recipient: { kind: 'member' as const, userId: member.id }, label: member.name, detail: member.email })),
    ...groups.map(({ id: groupId, name, memberCount }) => ({
      recipient: { kind: 'group' as const, groupId, name },
      label: name,
      detail: `Group, ${pluralize(memberCount, 'member')}`,
    })),
    { recipient: { kind: 'everyone' as const }, label: 'Everyone', detail: 'All members' },
    { recipient: { kind: 'admins' as const }, label: 'All admins', detail: '' },
  ].filter(({ recipient, label, detail }) => !isChosen(recipient) && `${label} ${detail}`.toLowerCase().includes(words))
  const typed = addressIn(search)
  const isMember = typed && members.some(({ email }) => email.toLowerCase() === typed.email)
  const add = (recipient: ReportRecipient) => {
    props.onChange(withoutRepeats([...chosen, recipient]))
    setSearch('')
  }
  const addFirst = () => {
    const first = found[0]?.recipient ?? typed
    if (words !== '' && first) add(first)
  }
  return (
    <div role="group" aria-labelledby={id} className={`field grid gap-1.5 ${fault === undefined ? '' : 'faulty'}`}>
      <span className="text-xs font-medium" id={id}>Recipients</span>
      {chosen.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {chosen.map((recipient) => {
            const name = nameOf(recipient, people)
            const state = recipient.kind === 'address' ? addresses.find(({ email }) => email === recipient.email)?.state : undefined
            const problem = groupProblem(recipient, people)
            return (
              <li key={keyOf(recipient)} className="flex max-w-full items-center gap-1.5 rounded-md bg-accent-wash py-0.5 pr-0.5 pl-2 [&_svg]:size-4">
                <RecipientIcon recipient={recipient} />
                <span className="min-w-0 [overflow-wrap:anywhere]">{name}</span>
                {problem && <Badge color="warning">{problem}</Badge>}
                {state === 'unconfirmed' && <Badge color="warning">Waiting for confirmation</Badge>}
                {state === 'bounced' && <Badge color="danger">Address doesn’t exist</Badge>}
                <IconButton
                  label={`Remove ${name}`}
                  icon={<X />}
                  className="size-6"
                  onClick={() => props.onChange(chosen.filter((other) => keyOf(other) !== keyOf(recipient)))}
                />
              </li>
            )
          })}
        </ul>
      )}
      <TextInput
        type="search"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
        // Enter adds the first result instead of submitting the form.
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ',') return
          event.preventDefault()
          addFirst()
        }}
        placeholder="Name or e-mail address"
        aria-label="Recipients: search"
        aria-invalid={fault !== undefined || undefined}
        autoComplete="off"
      />
      {words !== '' && (
        <ul className="divide-y divide-line overflow-hidden rounded-md border border-line bg-surface">
          {found.slice(0, maxShown).map(({ recipient, label, detail }) => (
            <FoundItem key={keyOf(recipient)} label={label} detail={detail} onChoose={() => add(recipient)} />
          ))}
          {typed && !isMember && !isChosen(typed) && <FoundItem label={typed.email} detail="Confirms once by e-mail" onChoose={() => add(typed)} />}
          {found.length === 0 && !typed && <li className="px-2.5 py-1.5 text-xs text-soft">Enter a whole e-mail address to add someone outside your organization.</li>}
        </ul>
      )}
      {fault !== undefined && <p className="text-xs text-danger" role="alert">{fault}</p>}
    </div>
  )
}

function FoundItem({ label, detail, onChoose }: { label: string; detail: string; onChoose(): void }) {
  return (
    <li>
      <button
        type="button"
        className="flex w-full flex-wrap gap-x-2 px-2.5 py-1.5 text-left hover:bg-raised focus-visible:-outline-offset-2"
        onClick={onChoose}
      >
        {label} <span className="text-soft">{detail}</span>
      </button>
    </li>
  )
}

function RecipientIcon({ recipient }: { recipient: ReportRecipient }) {
  if (recipient.kind === 'member') return <UserRound className="shrink-0 text-accent" aria-hidden="true" />
  if (recipient.kind === 'address') return <AtSign className="shrink-0 text-accent" aria-hidden="true" />
  return <UsersRound className="shrink-0 text-accent" aria-hidden="true" />
}
