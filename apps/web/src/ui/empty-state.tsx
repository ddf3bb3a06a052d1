import type { ReactNode } from 'react'

/** Shown in place of an empty list or page: what it is for, and one action to start. */
export function EmptyState(props: { title: string; icon?: ReactNode; action?: ReactNode; children?: ReactNode; isPage?: boolean }) {
  const Heading = props.isPage ? 'h1' : 'h2'
  return (
    <section className="mx-auto grid max-w-md justify-items-center gap-2 px-4 py-14 text-center">
      {props.icon !== undefined && (
        <div className="mb-1 text-soft [&_svg]:size-8 [&_svg]:stroke-[1.5]" aria-hidden="true">{props.icon}</div>
      )}
      <Heading className="text-base font-semibold">{props.title}</Heading>
      <div className="grid gap-2 text-soft">{props.children}</div>
      {props.action !== undefined && <div className="mt-3 flex flex-wrap justify-center gap-2">{props.action}</div>}
    </section>
  )
}
