/** A QR code for the terminal; the library is loaded at the first one. */
export async function qrText(text: string): Promise<string> {
  const { default: qrcode } = await import('qrcode')
  return qrcode.toString(text, { type: 'terminal', small: true })
}
