import { LoaderCircle } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Link, type LinkProps } from '../location.tsx'
import { classNames } from './class-names.ts'

/** `primary` for the main action of a page, `danger` for destructive actions, `ghost` for unobtrusive ones. */
export type ButtonKind = 'plain' | 'primary' | 'danger' | 'ghost'

export interface ButtonLook {
  kind?: ButtonKind
  size?: 'small' | 'medium'
  icon?: ReactNode
}

const shape =
  'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap no-underline ' +
  'transition-colors disabled:opacity-55 aria-disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0'

const kinds: Record<ButtonKind, string> = {
  plain: 'border-line-strong bg-surface text-ink enabled:hover:bg-raised [a&]:hover:bg-raised',
  primary: 'border-accent bg-accent text-on-accent enabled:hover:bg-accent-strong [a&]:hover:bg-accent-strong',
  danger: 'border-danger bg-danger text-on-danger enabled:hover:opacity-90',
  ghost: 'border-transparent bg-transparent text-soft enabled:hover:bg-raised enabled:hover:text-ink [a&]:hover:bg-raised [a&]:hover:text-ink',
}

const sizes = { small: 'h-7 px-2 text-xs', medium: 'h-8.5 px-3 text-sm' }

export const buttonClass = ({ kind = 'plain', size = 'medium' }: ButtonLook) => classNames(shape, kinds[kind], sizes[size])

/** `isBusy` disables the button and shows a spinner while its action is in progress. */
export function Button({
  kind,
  size,
  icon,
  isBusy = false,
  className,
  disabled,
  children,
  type = 'button',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & ButtonLook & { isBusy?: boolean }) {
  return (
    <button
      type={type}
      className={classNames(buttonClass({ ...(kind && { kind }), ...(size && { size }) }), className)}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
      {...rest}
    >
      {isBusy ? <LoaderCircle className="animate-spin" aria-hidden="true" /> : icon}
      {children}
    </button>
  )
}

/** A link that looks like a button. */
export function ButtonLink({ kind, size, icon, className, children, ...rest }: LinkProps & ButtonLook) {
  return (
    <Link className={classNames(buttonClass({ ...(kind && { kind }), ...(size && { size }) }), className)} {...rest}>
      {icon}
      {children}
    </Link>
  )
}
