/** Opens an address whose file the browser saves. */
export function openAddress(address: string) {
  const link = document.createElement("a");
  link.href = address;
  link.click();
}

/** Saves a file as if it had been downloaded from a link. */
export function saveAs(name: string, content: Blob) {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
