/** A QR code as SVG; the library is loaded at the first one. */
export async function qrSvg(text: string): Promise<string> {
  const { default: qrcode } = await import('qrcode')
  return qrcode.toString(text, { type: 'svg', margin: 0 })
}
