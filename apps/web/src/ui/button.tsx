import type { ButtonHTMLAttributes } from 'react'

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { kind?: 'primary' | 'plain' | 'danger' }

export function Button({ kind = 'plain', type = 'button', ...rest }: ButtonProps) {
  return <button className={`button ${kind}`} type={type} {...rest} />
}
