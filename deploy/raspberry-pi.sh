#!/bin/sh
# Turns a fresh Raspberry Pi OS (64-bit) into a whole house or a gateway:
#   sudo sh raspberry-pi.sh house
#   sudo sh raspberry-pi.sh gateway
set -eu

VERSION=0.1.0
FROM=https://github.com/hypocaust/hypocaust/releases/download/v$VERSION

kind=${1:-}
case $kind in
  house) packages='hypocaust hypocaust-gateway' ;;
  gateway) packages=hypocaust-gateway ;;
  *) echo 'usage: sudo sh raspberry-pi.sh house|gateway' >&2; exit 2 ;;
esac
if [ "$(id -u)" != 0 ]; then
  echo 'raspberry-pi.sh: run it as root, with sudo' >&2
  exit 1
fi
arch=$(dpkg --print-architecture)
if [ "$arch" = armhf ]; then
  echo 'raspberry-pi.sh: this is a 32-bit system; install Raspberry Pi OS (64-bit)' >&2
  exit 1
fi

echo "Installing Hypocaust $VERSION for a $kind."
apt-get update -q
apt-get install -q -y ca-certificates curl mosquitto avahi-daemon
folder=$(mktemp -d)
cd "$folder"
set -- "hypocaust-node_${VERSION}_$arch.deb"
for name in $packages; do set -- "$@" "${name}_${VERSION}_all.deb"; done
curl -fsSLO "$FROM/SHA256SUMS"
for file in "$@"; do curl -fsSLO "$FROM/$file"; done
sha256sum --check --quiet --ignore-missing SHA256SUMS

# The website at http://hypocaust.local, without a port: the settings are there before the service first starts.
if [ "$kind" = house ] && [ ! -e /etc/hypocaust/hypocaust.yaml ]; then
  drop_in=/etc/systemd/system/hypocaust.service.d
  mkdir -p "$drop_in"
  printf '[Service]\nAmbientCapabilities=CAP_NET_BIND_SERVICE\nCapabilityBoundingSet=CAP_NET_BIND_SERVICE\nPrivateUsers=no\n' \
    > "$drop_in/port-80.conf"
  is_new=yes
fi
for file in "$@"; do echo "./$file"; done | xargs apt-get install -q -y
if [ "${is_new:-no}" = yes ]; then
  sed -i 's/^port: .*/port: 80/' /etc/hypocaust/hypocaust.yaml
  echo hypocaust > /etc/hostname
  sed -i 's/^127\.0\.1\.1.*/127.0.1.1 hypocaust/' /etc/hosts
fi

# Sensors and relays sign in to Mosquitto with a password of this machine.
if [ ! -e /etc/mosquitto/conf.d/hypocaust.conf ]; then
  password=$(head -c 12 /dev/urandom | od -An -tx1 | tr -d ' \n')
  mosquitto_passwd -c -b /etc/mosquitto/hypocaust-devices devices "$password"
  chown mosquitto: /etc/mosquitto/hypocaust-devices
  printf 'listener 1883\nallow_anonymous false\npassword_file /etc/mosquitto/hypocaust-devices\n' \
    > /etc/mosquitto/conf.d/hypocaust.conf
  (umask 077 && echo "$password" > /etc/mosquitto/hypocaust-devices-password)
fi
if [ -d /run/systemd/system ]; then
  hostname "$(cat /etc/hostname)"
  systemctl restart mosquitto avahi-daemon
  if [ "$kind" = house ]; then systemctl restart hypocaust; fi
fi
rm -r "$folder"

if [ "$kind" = house ]; then
  echo 'Open http://hypocaust.local, create the account and the building, and add a gateway.'
  service=http://127.0.0.1
else
  echo 'Add a gateway on the website of the service.'
  service=http://ADDRESS
fi
cat <<END
Sensors and relays connect to this machine, port 1883, with the user name "devices" and the password in
/etc/mosquitto/hypocaust-devices-password. Then, with the code that the website shows:

  sudo hypocaust-gateway discover --mqtt mqtt://127.0.0.1:1883 --username devices --password "\$(sudo cat /etc/mosquitto/hypocaust-devices-password)"
  sudo hypocaust-gateway pair --service $service --code ABCD-EFGH
  sudo systemctl restart hypocaust-gateway
END
