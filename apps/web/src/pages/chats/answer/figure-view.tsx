import { useQuery } from '@tanstack/react-query'
import { Tooltip } from 'radix-ui'
import { type PointerEvent as ReactPointerEvent, type ReactElement, type ReactNode, useRef, useState } from 'react'
import type { Figure } from '../../../api/chats.ts'
import { runOptions } from '../../../api/runs.ts'
import { Link } from '../../../location.tsx'
import { paths } from '../../../paths.ts'
import { TextLink } from '../../../ui/text-link.tsx'
import { Time } from '../../../ui/time.tsx'

/** A figure of an answer: a link to the run that proves it, or struck through with the reason why nothing does. */
export function FigureView({ figure, children }: { figure: Figure; children: ReactNode }) {
  return figure.isProven && figure.runId !== null ? (
    <ProvenFigure expression={figure.expression ?? ''} runId={figure.runId}>{children}</ProvenFigure>
  ) : (
    <UnprovenFigure reason={figure.reason ?? 'No stored result contains it.'}>{children}</UnprovenFigure>
  )
}

function ProvenFigure({ expression, runId, children }: { expression: string; runId: string; children: ReactNode }) {
  return (
    <Explained
      label={`Computed as ${expression}. Opens the run.`}
      details={
        <>
          <code className="font-mono [overflow-wrap:anywhere]">{expression}</code>
          <RunFacts runId={runId} />
        </>
      }
      // A tap shows the details first, which link to the run.
      opensOn="tap"
    >
      <Link
        href={paths.run(runId)}
        data-figure="proven"
        className="text-inherit underline decoration-accent/50 decoration-1 underline-offset-3 hover:decoration-accent"
      >
        {children}
      </Link>
    </Explained>
  )
}

function RunFacts({ runId }: { runId: string }) {
  const { data: run } = useQuery({ ...runOptions(runId), staleTime: Number.POSITIVE_INFINITY, retry: false })
  const title = run?.references[0]?.title
  return (
    <span className="flex flex-wrap gap-x-2 text-soft">
      {run && <span>{title ?? 'SQL query'}, <Time at={run.completedAt ?? run.runAt} /></span>}
      <TextLink href={paths.run(runId)}>Open run</TextLink>
    </span>
  )
}

function UnprovenFigure({ reason, children }: { reason: string; children: ReactNode }) {
  return (
    <span data-figure="unproven">
      <del className="text-soft decoration-danger">{children}</del>{' '}
      <Explained label={reason} details={reason} opensOn="click">
        <button
          type="button"
          className="rounded bg-danger-wash px-1.5 align-baseline text-xs leading-6 whitespace-nowrap text-danger"
        >
          not verified
        </button>
      </Explained>
    </span>
  )
}

/** Shows details of an inline element on hover, focus and tap. */
function Explained(props: { label: string; details: ReactNode; opensOn: 'tap' | 'click'; children: ReactElement }) {
  const [isOpen, setIsOpen] = useState(false)
  const isTouch = useRef(false)
  return (
    <Tooltip.Root open={isOpen} onOpenChange={setIsOpen} delayDuration={200}>
      <Tooltip.Trigger
        asChild
        onPointerDown={(event: ReactPointerEvent) => {
          isTouch.current = event.pointerType !== 'mouse'
        }}
        onClick={(event) => {
          // A prevented click neither closes the details nor follows the link.
          if (props.opensOn === 'tap' && !isTouch.current) return
          event.preventDefault()
          setIsOpen(true)
        }}
      >
        {props.children}
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content
          aria-label={props.label}
          sideOffset={6}
          collisionPadding={8}
          // Keep the focus on the trigger, because losing it closes the details before a click in them arrives.
          onMouseDown={(event) => event.preventDefault()}
          className="z-50 grid max-w-80 gap-1 rounded-md border border-line bg-surface px-3 py-2 text-xs text-ink shadow-lg"
        >
          {props.details}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
