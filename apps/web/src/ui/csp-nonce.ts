import { setNonce } from 'get-nonce'

/** The nonce of this document. The content security policy allows `<style>` elements that carry it. */
export const cspNonce = (document.querySelector('meta[property="csp-nonce"]') as HTMLMetaElement | null)?.nonce ?? ''

/**
 * Dialogs and menus add a style element that keeps the page behind them from scrolling, and dragging a tile adds one that hides the
 * selection. The latter takes the nonce from a global variable.
 */
export function allowLibraryStyles(): void {
  if (cspNonce === '') return
  setNonce(cspNonce)
  Object.assign(globalThis, { __webpack_nonce__: cspNonce })
}
