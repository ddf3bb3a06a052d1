import { useQuery } from '@tanstack/react-query'
import { Check, CircleAlert, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { faultAt, messageOf } from '../../api/request.ts'
import { type EndpointContent, type EventType, eventTypes, urlCheckOptions } from '../../api/webhook-endpoints.ts'
import { Field } from '../../ui/field.tsx'
import { Choice, TextInput } from '../../ui/inputs.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { aboutEventTypes } from '../../api/generated/event-types.ts'
import { eventGroups } from './event-groups.ts'

export interface EndpointDraft {
  url: string
  description: string
  eventTypes: EndpointContent['eventTypes']
  isOrdered: boolean
}

export const toEndpointContent = ({ url, description, eventTypes: types, isOrdered }: EndpointDraft): EndpointContent => ({
  url: url.trim(),
  description: description.trim() || null,
  eventTypes: types,
  isOrdered,
})

/** The URL, description, event types and order of an endpoint. `error`: from saving these very values. */
export function EndpointFields(props: {
  draft: EndpointDraft
  /** The saved URL, which needs no check. */
  savedUrl?: string
  error: unknown
  onChange(draft: EndpointDraft): void
}) {
  const { draft, error, onChange } = props
  const urlFault = faultAt(error, '/url')
  return (
    <div className="grid gap-5">
      {/* The check finds what saving found, so only one of the two is shown. */}
      <Field
        label="URL"
        fault={urlFault}
        {...(urlFault === undefined && { hint: <UrlHint url={draft.url.trim()} savedUrl={props.savedUrl} /> })}
      >
        <TextInput
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          required
          maxLength={2048}
          placeholder="https://hooks.example.com/querypost"
          value={draft.url}
          onChange={(event) => onChange({ ...draft, url: event.target.value })}
        />
      </Field>
      <Field
        label="Description (optional)"
        fault={faultAt(error, '/description')}
        hint="Tell your teammates what receives these events."
      >
        <TextInput
          maxLength={500}
          value={draft.description}
          onChange={(event) => onChange({ ...draft, description: event.target.value })}
        />
      </Field>
      <fieldset className="grid gap-4">
        <legend className="mb-2 text-xs font-medium">Events</legend>
        {eventGroups.map(({ name, types }) => (
          <div key={name} role="group" aria-label={name} className="grid gap-2">
            <p className="text-xs text-soft">{name}</p>
            {types.map((type) => (
              <EventChoice
                key={type}
                type={type}
                isChosen={draft.eventTypes.includes(type)}
                onChange={(isChosen) =>
                  onChange({
                    ...draft,
                    eventTypes: eventTypes.filter((each) => (each === type ? isChosen : draft.eventTypes.includes(each))),
                  })
                }
              />
            ))}
          </div>
        ))}
        {draft.eventTypes.length === 0 && <p className="text-xs text-danger" role="alert">Choose at least one event.</p>}
      </fieldset>
      <fieldset className="grid gap-2">
        <legend className="mb-1 text-xs font-medium">Delivery</legend>
        <Choice
          label="Send events in order"
          hint="Events of the same automation or query are sent one after the other. While one is retried, the next ones wait."
          checked={draft.isOrdered}
          onChange={({ target }) => onChange({ ...draft, isOrdered: target.checked })}
        />
      </fieldset>
    </div>
  )
}

function EventChoice(props: { type: EventType; isChosen: boolean; onChange(isChosen: boolean): void }) {
  const { label, when, carries, isDefault } = aboutEventTypes[props.type]
  return (
    <Choice
      label={
        <>
          {label} <code className="text-xs text-soft">{props.type}</code>
          {isDefault && <span className="text-xs text-soft"> (default)</span>}
        </>
      }
      hint={`${when} ${carries}`}
      checked={props.isChosen}
      onChange={({ target }) => props.onChange(target.checked)}
    />
  )
}

const settleMs = 400

/** Checks the URL when typing pauses, and shows the error that saving it would return. */
function UrlHint({ url, savedUrl }: { url: string; savedUrl?: string | undefined }) {
  const settled = useDebounced(url, settleMs)
  const isCheckNeeded = settled !== '' && settled !== savedUrl && settled === url
  const { data, error, isFetching } = useQuery({ ...urlCheckOptions(settled), enabled: isCheckNeeded })
  return <span aria-live="polite">{urlStatus()}</span>

  function urlStatus(): ReactNode {
    if (url === '' || url === savedUrl) return 'A public https URL. It receives one POST request per event.'
    if (!isCheckNeeded || isFetching) return <Remark icon={<LoaderCircle className="animate-spin" />}>Checking the URL…</Remark>
    if (error) return <Remark icon={<CircleAlert />}>{messageOf(error)}</Remark>
    if (!data) return null
    if (!data.isAllowed) return <Remark color="text-danger" icon={<CircleAlert />}>{data.reason}</Remark>
    return <Remark color="text-good" icon={<Check />}>This URL is allowed. It resolves to {data.addresses.join(', ')}.</Remark>
  }
}

function Remark({ color = '', icon, children }: { color?: string; icon: ReactNode; children: ReactNode }) {
  return (
    <span className={`flex items-start gap-1.5 [&_svg]:mt-px [&_svg]:size-3.5 [&_svg]:shrink-0 ${color}`}>
      {icon}
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </span>
  )
}
