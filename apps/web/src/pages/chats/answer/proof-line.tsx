import { ShieldAlert, ShieldCheck } from 'lucide-react'
import type { Figure } from '../../../api/chats.ts'
import { documentation } from '../../../paths.ts'
import { describeProof } from './describe-proof.ts'

/** Says below an answer whether its figures are proven. */
export function ProofLine({ figures }: { figures: Figure[] }) {
  const proof = describeProof(figures)
  if (!proof) return null
  const Icon = proof.isComplete ? ShieldCheck : ShieldAlert
  return (
    <p className={`flex flex-wrap items-center gap-x-1.5 text-xs ${proof.isComplete ? 'text-soft' : 'text-danger'}`} data-part="proof">
      <Icon className="size-3.5 shrink-0" aria-hidden="true" />
      <span>{proof.text}</span>
      <a href={documentation.proof} className="text-soft underline underline-offset-3 hover:text-ink">How figures are verified</a>
    </p>
  )
}
