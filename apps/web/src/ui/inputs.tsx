import type { ComponentProps, InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react'
import { classNames } from './class-names.ts'
import { useFieldAttributes } from './field.tsx'

/** The inputs of a form. Inside a `Field` they are tied to its label, hint and fault. */
const box =
  'w-full min-w-0 rounded-md border border-line-strong bg-surface px-2.5 text-ink placeholder:text-soft placeholder:opacity-80 ' +
  'disabled:opacity-60 aria-invalid:border-danger'

export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...useFieldAttributes()} className={classNames(box, 'h-8.5', className)} {...rest} />
}

export function TextArea({ className, rows = 4, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return <textarea {...useFieldAttributes()} rows={rows} className={classNames(box, 'py-2', className)} {...rest} />
}

/** The browser's own list of choices: the best one on a phone, and known to every reader. */
export function Select({ className, children, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <select {...useFieldAttributes()} className={classNames(box, 'h-8.5', className)} {...rest}>
      {children}
    </select>
  )
}

/** A box to tick, or with `type="radio"` one of several, with its words beside it. */
export function Choice({
  label,
  hint,
  type = 'checkbox',
  className,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & { label: ReactNode; hint?: ReactNode; type?: 'checkbox' | 'radio' }) {
  return (
    <label className={classNames('flex w-fit items-start gap-2.5', className)}>
      <input type={type} className="mt-0.5 size-4 shrink-0 accent-accent" {...rest} />
      <span>
        {label}
        {hint !== undefined && <span className="block text-xs text-soft">{hint}</span>}
      </span>
    </label>
  )
}
