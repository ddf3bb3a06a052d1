import { Link, type LinkProps } from '../location.tsx'
import { classNames } from './class-names.ts'

/** A link within text. */
export function TextLink({ className, ...rest }: LinkProps) {
  return (
    <Link
      className={classNames('text-accent underline decoration-1 underline-offset-3 hover:text-accent-strong', className)}
      {...rest}
    />
  )
}
