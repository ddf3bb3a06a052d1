import { setNonce } from 'get-nonce'

/** The value that the service sent with this document: a `<style>` that carries it is allowed by the pages' policy. */
export const cspNonce = (document.querySelector('meta[property="csp-nonce"]') as HTMLMetaElement | null)?.nonce ?? ''

/** Dialogs and menus keep the page behind them from scrolling by a style of their own. */
export function allowStylesOfLibraries(): void {
  if (cspNonce !== '') setNonce(cspNonce)
}
