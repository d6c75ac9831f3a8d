import { Component, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { onNavigation, scrollToPlace } from './navigation.ts'
import { loaded, type Route, routeOf } from './pages.ts'
import { RouteContext } from './route.ts'

interface Props {
  notFound: ReactNode
  broken: ReactNode
  waiting: ReactNode
  /** Everything around the pages. */
  frame(page: ReactNode): ReactNode
}

/** The page that is shown stays until the next one is there, but no longer than this. */
const PATIENCE_MS = 300

const here = (): Route => routeOf(location.pathname)

export function Router({ notFound, broken, waiting, frame }: Props) {
  const [route, setRoute] = useState(here)
  const [failed, setFailed] = useState<Route>()
  const isFirst = useRef(true)

  // Before anything can be pressed.
  useLayoutEffect(
    () =>
      onNavigation(() => {
        const { href } = location
        const show = () => {
          if (location.href === href) setRoute(here())
        }
        const { page } = here()
        if (!page || page.component) return show()
        void Promise.race([loaded(page).catch(() => undefined), new Promise((go) => setTimeout(go, PATIENCE_MS))]).then(
          show,
        )
      }),
    [],
  )

  const { page } = route
  const Shown = page?.component

  useEffect(() => {
    // What was drawn counts: on a busy machine the page has often come by the time this is run.
    if (!page || Shown) return
    loaded(page).then(
      () => setRoute((shown) => (shown === route ? { ...route } : shown)),
      () => setFailed(route),
    )
  }, [route, page, Shown])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another page begins where it was left
  useLayoutEffect(() => {
    if (!isFirst.current) scrollToPlace()
    isFirst.current = false
  }, [route.path])

  return (
    <RouteContext value={route}>
      {frame(
        <Boundary broken={broken}>
          {failed === route ? broken : Shown ? <Shown key={page.pattern} /> : page ? waiting : notFound}
        </Boundary>,
      )}
    </RouteContext>
  )
}

interface BoundaryProps {
  broken: ReactNode
  children: ReactNode
}

/** A page that cannot be drawn leaves the rest of the website usable. */
class Boundary extends Component<BoundaryProps, { brokenPath?: string | undefined }> {
  override state: { brokenPath?: string | undefined } = {}

  static getDerivedStateFromError() {
    return { brokenPath: location.pathname }
  }

  /** Another path, and this one when it is looked for again, is drawn anew. */
  static getDerivedStateFromProps(_props: BoundaryProps, { brokenPath }: { brokenPath?: string | undefined }) {
    return brokenPath === location.pathname ? null : { brokenPath: undefined }
  }

  override render() {
    return this.state.brokenPath !== undefined ? this.props.broken : this.props.children
  }
}
