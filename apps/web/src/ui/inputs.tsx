import type { ComponentProps, InputHTMLAttributes, ReactNode, SelectHTMLAttributes } from 'react'
import { classNames } from './class-names.ts'
import { useFieldAttributes } from './field.tsx'

/** Form inputs. Inside a `Field` they are connected to its label, hint and error. */
const box =
  'w-full min-w-0 rounded-md border border-line-strong bg-surface px-2.5 text-ink placeholder:text-soft placeholder:opacity-80 ' +
  'disabled:opacity-60 aria-invalid:border-danger'

export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...useFieldAttributes()} className={classNames(box, 'h-8.5', className)} {...rest} />
}

export function TextArea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...useFieldAttributes()} rows={rows} className={classNames(box, 'py-2', className)} {...rest} />
}

/** The browser's native select, which works best on phones and with screen readers. */
export function Select({ className, children, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <select {...useFieldAttributes()} className={classNames(box, 'h-8.5', className)} {...rest}>
      {children}
    </select>
  )
}

/** A labeled checkbox or, with `type="radio"`, a radio button. */
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
