import { Link } from '../location.tsx'
import { paths } from '../paths.ts'

export function Brand() {
  return (
    <Link href={paths.home} className="flex w-fit items-center gap-2 font-bold tracking-tight text-ink no-underline">
      <svg viewBox="0 0 24 24" className="size-5 text-accent" fill="none" stroke="currentColor" strokeWidth="2.4" aria-hidden="true">
        <path d="M4 6.5c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3Z" />
        <path d="M4 6.5V17c0 1.7 3.6 3 8 3 .9 0 1.7 0 2.500-.15M20 6.500V11" strokeLinecap="round" />
        <path d="m15.500 15 5 2.500-5 2.500" strokeLinecap="round" strokeLinejoin="round" />
      </svg>
      Querypost
    </Link>
  )
}
