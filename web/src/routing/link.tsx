import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import type { Destination } from './address.ts'
import { navigate } from './navigation.ts'
import { hrefOf, preload } from './pages.ts'

export type LinkProps = Destination & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>

/** A link within the website. Its page is loaded as soon as somebody seems to mean it. */
export function Link({ to, params, search, ...rest }: LinkProps) {
  const destination = { to, ...(params && { params }), ...(search && { search }) }
  const href = hrefOf(destination)
  const prepare = () => preload(new URL(href, location.href).pathname)
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || !isPlain(event)) return
    event.preventDefault()
    navigate(destination)
  }
  return <a href={href} onClick={follow} onPointerEnter={prepare} onFocus={prepare} {...rest} />
}

/** Any click with a key held is the browser's, such as one that opens a new tab. */
export const isPlain = (event: Pick<MouseEvent, 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>): boolean =>
  !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
