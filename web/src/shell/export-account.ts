import { api, text } from "../api/client";
import { saveAs } from "../lib/save";

/** Downloads all data of the account. */
export async function exportAccount() {
  const { text: content } = await text(api.GET("/user/export", { parseAs: "text" }));
  saveAs("groundcrew-account.json", new Blob([content], { type: "application/json" }));
}
