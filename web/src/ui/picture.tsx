/** A picture the service has drawn, shown as an image: whatever is in it, it cannot run. */
export function Picture({ svg, label }: { svg: string; label: string }) {
  return (
    <img
      src={`data:image/svg+xml;utf8,${encodeURIComponent(svg)}`}
      alt={label}
      width="220"
      height="220"
      className="mx-auto rounded-xl bg-paper p-3"
    />
  )
}
