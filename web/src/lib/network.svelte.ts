// Who can reach the server. Only a page at the server's own computer is told, and only there it matters: whoever came
// by another address can be followed by that address.

import type { NetworkInfo } from "../wire.gen";
import { api } from "./api";
import { told } from "./base";

/** Whether a host is a name for the computer that the page is on. */
export const isHere = (host: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);

class Network {
  info = $state.raw<NetworkInfo>({});
  trouble = $state("");
  busy = $state(false);

  /** The address that links begin with: what the server is called, or one that leads here from elsewhere too, if there is one. */
  readonly base = $derived(told || (isHere(location.hostname) && this.info.address ? this.info.address : location.origin));

  async load() {
    if (isHere(location.hostname)) this.info = await api.network().catch(() => this.info);
  }

  /** Let the home network in, or send it away. */
  async open(wanted: boolean) {
    this.busy = true;
    this.trouble = "";
    try {
      this.info = await api.openNetwork(wanted);
    } catch (error) {
      this.trouble = (error as Error).message;
    }
    this.busy = false;
  }
}

export const network = new Network();
